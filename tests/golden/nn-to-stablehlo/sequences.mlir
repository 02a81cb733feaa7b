// RUN: echo-opt %s --nn-to-stablehlo --dce | FileCheck %s
// RUN: echo-opt %s --nn-to-stablehlo --dce --verify-roundtrip -o /dev/null

// Unrolled: two contractions, three gates and two tangents a step.
// CHECK-LABEL: func.func @lstm
// CHECK:         stablehlo.slice %arg0 [0:1, 0:2, 0:4]
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK-COUNT-2: stablehlo.logistic
// CHECK:         stablehlo.tanh
// CHECK:         stablehlo.logistic
// CHECK:         stablehlo.tanh
// CHECK:         stablehlo.slice %arg0 [1:2, 0:2, 0:4]
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK:         %[[ALL:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:    return %[[ALL]]
func.func @lstm(%x: tensor<2x2x4xf32>, %h: tensor<2x3xf32>, %c: tensor<2x3xf32>, %wi: tensor<4x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) -> (tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0:3 = "nn.lstm"(%x, %h, %c, %wi, %wh, %b) : (tensor<2x2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x12xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// One step: no concatenation.
// CHECK-LABEL: func.func @gru
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK-COUNT-2: stablehlo.logistic
// CHECK:         stablehlo.tanh
// CHECK-NOT:     stablehlo.concatenate
// CHECK:         return
func.func @gru(%x: tensor<1x2x4xf32>, %h: tensor<2x3xf32>, %wi: tensor<4x9xf32>, %wh: tensor<3x9xf32>, %b: tensor<9xf32>) -> (tensor<1x2x3xf32>, tensor<2x3xf32>) {
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %b, %b) : (tensor<1x2x4xf32>, tensor<2x3xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<9xf32>, tensor<9xf32>) -> (tensor<1x2x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<1x2x3xf32>, tensor<2x3xf32>
}

// The score is a product and a sum, not a contraction: [B, T, H] never needs to be whole.
// CHECK-LABEL: func.func @attention_mlp
// CHECK:         stablehlo.tanh %{{.*}} : tensor<2x4x3xf32>
// CHECK-NOT:     stablehlo.dot_general
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2]
// CHECK:         stablehlo.select %arg4
// CHECK:         stablehlo.exponential
// CHECK-NOT:     nn.attention
func.func @attention_mlp(%q: tensor<2x3xf32>, %k: tensor<2x4x3xf32>, %m: tensor<2x4x5xf32>, %v: tensor<3xf32>, %p: tensor<2x4xi1>) -> (tensor<2x5xf32>, tensor<2x4xf32>) {
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v, %p) : (tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x4x5xf32>, tensor<3xf32>, tensor<2x4xi1>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return %0#0, %0#1 : tensor<2x5xf32>, tensor<2x4xf32>
}

// The scale is 1 / sqrt(4) when none is given.
// CHECK-LABEL: func.func @attention_dot
// CHECK:         %[[S:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK-NEXT:    %[[HALF:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<1x2x3x5xf32>
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[HALF]]
// CHECK:         %[[W:.*]] = stablehlo.divide
// CHECK-NEXT:    stablehlo.dot_general %[[W]], %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
func.func @attention_dot(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x5x4xf32>, %v: tensor<1x2x5x6xf32>) -> tensor<1x2x3x6xf32> {
  %0 = "nn.attention_dot"(%q, %k, %v) : (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x5x6xf32>) -> tensor<1x2x3x6xf32>
  return %0 : tensor<1x2x3x6xf32>
}

// From the last step, in a loop that carries h and the outputs.
// CHECK-LABEL: func.func @gru_loop
// CHECK:         stablehlo.while
// CHECK:         %[[T:.*]] = stablehlo.subtract %{{.*}}, %iterArg : tensor<i64>
// CHECK:         stablehlo.dynamic_slice %arg0, %[[T]],
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK:         stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %[[T]],
func.func @gru_loop(%x: tensor<9x2x4xf32>, %h: tensor<2x3xf32>, %wi: tensor<4x9xf32>, %wh: tensor<3x9xf32>, %b: tensor<9xf32>) -> (tensor<9x2x3xf32>, tensor<2x3xf32>) {
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %b, %b) <{is_reverse = true, is_loop = true}> : (tensor<9x2x4xf32>, tensor<2x3xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<9xf32>, tensor<9xf32>) -> (tensor<9x2x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<9x2x3xf32>, tensor<2x3xf32>
}
