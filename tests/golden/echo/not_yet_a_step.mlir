// Echo on what is no training step yet: refused once, at the first op that has to go, with the way there.
// RUN: not echo-opt %s --echo 2>&1 | FileCheck %s
// RUN: echo-opt %s --to=echoed --echo -o %t.mlir
// RUN: echo-opt %t.mlir --echo -o /dev/null
// CHECK: not_yet_a_step.mlir:[[#@LINE+5]]:8: error: 'nn.linear' op stands before the training step that recompute works on: --to=echoed --echo=… takes the module there first
// CHECK: note: see current operation
// CHECK-NOT: error:

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> (tensor<f32>, tensor<8x8xf32>) {
  %y = "nn.linear"(%x, %w, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %loss, %g : tensor<f32>, tensor<8x8xf32>
}
