// RUN: echo-opt --split-input-file --schedule %s | FileCheck %s

// An update runs as soon as its gradient is whole, so that the two gradients never stand together.
// CHECK-LABEL: func.func @updates
// CHECK:         %[[G0:.*]] = stablehlo.dot_general %arg2
// CHECK-NEXT:    stablehlo.subtract %arg0, %[[G0]]
// CHECK-NEXT:    %[[G1:.*]] = stablehlo.dot_general %arg3
// CHECK-NEXT:    stablehlo.subtract %arg1, %[[G1]]
func.func @updates(%w0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32},
                   %x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %g0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %g1 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %n0 = stablehlo.subtract %w0, %g0 : tensor<32x32xf32>
  %n1 = stablehlo.subtract %w1, %g1 : tensor<32x32xf32>
  return %n0, %n1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// The order given stays where no other is lower.
// CHECK-LABEL: func.func @already
// CHECK-NEXT:    stablehlo.tanh
// CHECK-NEXT:    stablehlo.dot_general
// CHECK-NEXT:    stablehlo.negate
func.func @already(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = stablehlo.tanh %x : tensor<4x4xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = stablehlo.negate %x : tensor<4x4xf32>
  return %b, %c : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What a barrier ties stays behind what it is tied to.
// CHECK-LABEL: func.func @tied
// CHECK:         %[[G:.*]] = stablehlo.dot_general
// CHECK:         %[[B:.*]]:2 = stablehlo.optimization_barrier %arg0, %[[G]]
// CHECK:         stablehlo.tanh %[[B]]#0
func.func @tied(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %g = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b:2 = stablehlo.optimization_barrier %x, %g : tensor<4x4xf32>, tensor<4x4xf32>
  %t = stablehlo.tanh %b#0 : tensor<4x4xf32>
  %r = stablehlo.multiply %t, %g : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
