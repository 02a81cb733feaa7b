// RUN: echo-opt %s --nn-to-stablehlo --dce | FileCheck %s
// RUN: echo-opt %s --nn-to-stablehlo --dce --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>, %[[W:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<5xf32>)
// CHECK-NEXT:    %[[P:.*]] = stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [2] x [0]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [2]
// CHECK-NEXT:    %[[Y:.*]] = stablehlo.add %[[P]], %[[S]] : tensor<2x3x5xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @linear(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = "nn.linear"(%x, %w, %b) : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @linear_without_bias
// CHECK-NEXT:    %[[P:.*]] = stablehlo.dot_general
// CHECK-NEXT:    return %[[P]]
func.func @linear_without_bias(%x: tensor<3x4xbf16>, %w: tensor<4x5xbf16>) -> tensor<3x5xbf16> {
  %0 = "nn.linear"(%x, %w) : (tensor<3x4xbf16>, tensor<4x5xbf16>) -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// One row of the table for each id.
// CHECK-LABEL: func.func @embedding
// CHECK-NEXT:    "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}>
func.func @embedding(%t: tensor<6x3xf32>, %i: tensor<4x5xi32>) -> tensor<4x5x3xf32> {
  %0 = "nn.embedding"(%t, %i) : (tensor<6x3xf32>, tensor<4x5xi32>) -> tensor<4x5x3xf32>
  return %0 : tensor<4x5x3xf32>
}

// The mask is a function of key and counter: element i is kept where word i is at least rate * 2^32.
// CHECK-LABEL: func.func @dropout
// CHECK:         %[[SEED:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<1xui64>, tensor<1xui64>) -> tensor<2xui64>
// CHECK-NEXT:    %{{.*}}, %[[BITS:.*]] = stablehlo.rng_bit_generator %[[SEED]], algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x4xui32>)
// CHECK-NEXT:    %[[RATE:.*]] = stablehlo.constant dense<1073741824> : tensor<2x4xui32>
// CHECK-NEXT:    %[[KEPT:.*]] = stablehlo.compare GE, %[[BITS]], %[[RATE]]
// CHECK-NEXT:    %[[FACTOR:.*]] = stablehlo.constant dense<1.33333337>
// CHECK-NEXT:    %[[SCALED:.*]] = stablehlo.multiply %arg0, %[[FACTOR]]
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
// CHECK-NEXT:    stablehlo.select %[[KEPT]], %[[SCALED]], %[[ZERO]]
func.func @dropout(%x: tensor<2x4xf32>, %key: tensor<ui64>, %counter: tensor<ui64>) -> tensor<2x4xf32> {
  %0 = "nn.dropout"(%x, %key, %counter) <{rate = 0.25 : f64}> : (tensor<2x4xf32>, tensor<ui64>, tensor<ui64>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// The maximum takes no gradient.
// CHECK-LABEL: func.func @softmax
// CHECK:         %[[M:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1]
// CHECK-NEXT:    %[[STOP:.*]] = "nn.stop_gradient"(%[[M]])
// CHECK-NEXT:    %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[STOP]], dims = [0]
// CHECK-NEXT:    %[[C:.*]] = stablehlo.subtract %arg0, %[[SPREAD]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %[[C]]
// CHECK:         %[[SUM:.*]] = stablehlo.reduce(%[[E]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT:    %[[SUMS:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [0]
// CHECK-NEXT:    stablehlo.divide %[[E]], %[[SUMS]]
func.func @softmax(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "nn.softmax"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK-COUNT-2: stablehlo.reduce
// CHECK:         stablehlo.rsqrt
// CHECK-NOT:     nn.
func.func @layer_norm(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "nn.layer_norm"(%x, %s, %b) <{epsilon = 1.0e-5 : f64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @batch_norm
// CHECK-COUNT-2: across dimensions = [0, 2]
// CHECK:         stablehlo.rsqrt
// CHECK-NOT:     nn.
func.func @batch_norm(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "nn.batch_norm"(%x, %s, %s, %s, %s) <{feature_index = 1 : i64, epsilon = 1.0e-5 : f64, momentum = 0.9 : f64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>
}
