// RUN: echo-opt %s --nn-to-stablehlo --dce | FileCheck %s
// RUN: echo-opt %s --nn-to-stablehlo --dce --verify-roundtrip -o /dev/null

// The label is picked by a comparison with iota; labels of 8 bits are widened first.
// CHECK-LABEL: func.func @softmax_cross_entropy
// CHECK:         stablehlo.log %
// CHECK:         %[[L:.*]] = stablehlo.convert %arg1 : (tensor<2xi8>) -> tensor<2xi32>
// CHECK-NEXT:    %[[WANTED:.*]] = stablehlo.broadcast_in_dim %[[L]], dims = [0]
// CHECK-NEXT:    %[[I:.*]] = stablehlo.iota dim = 1 : tensor<2x4xi32>
// CHECK-NEXT:    stablehlo.compare EQ, %[[I]], %[[WANTED]]
// CHECK-NOT:     stablehlo.gather
// CHECK-NOT:     nn.softmax
func.func @softmax_cross_entropy(%x: tensor<2x4xf32>, %l: tensor<2xi8>) -> tensor<f32> {
  %0 = "nn.softmax_cross_entropy"(%x, %l) : (tensor<2x4xf32>, tensor<2xi8>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The mean is over the mask's sum, at least 1.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[N:.*]] = stablehlo.reduce(%arg2 init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-NEXT:    %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %[[COUNT:.*]] = stablehlo.maximum %[[N]], %[[ONE]]
// CHECK-NEXT:    stablehlo.divide %{{.*}}, %[[COUNT]]
func.func @masked(%x: tensor<2x4xf32>, %l: tensor<2xi32>, %m: tensor<2xf32>) -> tensor<f32> {
  %0 = "nn.softmax_cross_entropy"(%x, %l, %m) : (tensor<2x4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @sgd
// CHECK-NEXT:    %[[R:.*]] = stablehlo.broadcast_in_dim %arg2, dims = []
// CHECK-NEXT:    %[[S:.*]] = stablehlo.multiply %[[R]], %arg1
// CHECK-NEXT:    stablehlo.subtract %arg0, %[[S]]
func.func @sgd(%p: tensor<4xf32>, %g: tensor<4xf32>, %r: tensor<f32>) -> tensor<4xf32> {
  %0 = "nn.sgd"(%p, %g, %r) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @momentum
// CHECK:         %[[KEPT:.*]] = stablehlo.multiply %arg3
// CHECK-NEXT:    %[[V:.*]] = stablehlo.add %[[KEPT]], %arg1
// CHECK:         return %{{.*}}, %[[V]]
func.func @momentum(%p: tensor<4xf32>, %g: tensor<4xf32>, %r: tensor<f32>, %v: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "nn.sgd"(%p, %g, %r, %v) <{momentum = 0.9 : f64}> : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @adam
// CHECK-COUNT-2: stablehlo.power %{{.*}} : tensor<f32>
// CHECK:         stablehlo.sqrt
// CHECK-NOT:     stablehlo.convert
// CHECK-NOT:     nn.adam
func.func @adam(%p: tensor<4xf32>, %t: tensor<i32>, %r: tensor<f32>) -> tensor<4xf32> {
  %0:3 = "nn.adam"(%p, %p, %p, %p, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// In f32, with the results rounded: beta2 = 0.999 is 1 in bf16.
// CHECK-LABEL: func.func @adam_in_bf16
// CHECK:         stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK:         stablehlo.power %{{.*}} : tensor<f32>
// CHECK:         stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
func.func @adam_in_bf16(%p: tensor<4xbf16>, %t: tensor<i32>, %r: tensor<f32>) -> tensor<4xbf16> {
  %0:3 = "nn.adam"(%p, %p, %p, %p, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64}> : (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<i32>, tensor<f32>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>)
  return %0#0 : tensor<4xbf16>
}

// What --differentiate is for stays.
// CHECK-LABEL: func.func @stays
// CHECK:         "nn.stop_gradient"
// CHECK:         "nn.gradient"
func.func @stays(%x: tensor<f32>) -> tensor<f32> {
  %0 = "nn.stop_gradient"(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.multiply %0, %x : tensor<f32>
  %2 = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// A loop over time that carries one row of states; classes are picked by comparing, shifted states filled with -inf.
// CHECK-LABEL: func.func @ctc_loss
// CHECK:         %[[S:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x7xi32>
// CHECK:         stablehlo.while
// CHECK:         stablehlo.dynamic_slice %arg0
// CHECK:         stablehlo.pad %{{.*}}, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<2x7xf32>, tensor<f32>) -> tensor<2x7xf32>
// CHECK-NOT:     stablehlo.gather
// CHECK:         stablehlo.return
// CHECK:         stablehlo.negate
func.func @ctc_loss(%x: tensor<5x2x4xf32>, %l: tensor<2x3xi32>, %t: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "nn.ctc_loss"(%x, %l, %t, %n) : (tensor<5x2x4xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @ctc_loss_unrolled
// CHECK-NOT:     stablehlo.while
// CHECK:         stablehlo.slice %arg0 [1:2, 0:2, 0:4]
// CHECK:         return
func.func @ctc_loss_unrolled(%x: tensor<2x2x4xf32>, %l: tensor<2x1xi8>, %t: tensor<2xi64>, %n: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "nn.ctc_loss"(%x, %l, %t, %n) <{is_loop = false}> : (tensor<2x2x4xf32>, tensor<2x1xi8>, tensor<2xi64>, tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
