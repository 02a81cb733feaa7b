// RUN: echo-opt --roll-loops --split-input-file %s | FileCheck %s
// RUN: echo-opt --roll-loops --split-input-file %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(roll-loops,roll-loops)' --split-input-file %s | diff %t.once.mlir -

// Three steps on one batch: nothing is cut for them, and each reads the same rows with what the step before it made of the weight.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<4x4xf32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %[[W]]) : tensor<i32>, tensor<4x4xf32>
// CHECK:         do
// CHECK:           %[[P:.*]] = stablehlo.dot_general %[[X]], %[[V]]
// CHECK:           stablehlo.dot_general %[[X]], %[[P]]
// CHECK:           stablehlo.return
// CHECK-NOT:     stablehlo.dot_general
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %g0 = stablehlo.dot_general %x, %p0, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %w0 = stablehlo.subtract %w, %g0 : tensor<4x4xf32>
  %p1 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %g1 = stablehlo.dot_general %x, %p1, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %w1 = stablehlo.subtract %w0, %g1 : tensor<4x4xf32>
  %p2 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %g2 = stablehlo.dot_general %x, %p2, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %w2 = stablehlo.subtract %w1, %g2 : tensor<4x4xf32>
  return %w2 : tensor<4x4xf32>
}

// -----

// What all of them read is made of what is given, and stays in front of the loop.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<4x4xf32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[N:.*]] = stablehlo.dot_general %[[X]], %[[X]]
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %[[W]]) : tensor<i32>, tensor<4x4xf32>
// CHECK:         do
// CHECK:           stablehlo.dot_general %[[N]], %[[V]]
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %n = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %p0 = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %w0 = stablehlo.subtract %w, %p0 : tensor<4x4xf32>
  %p1 = stablehlo.dot_general %n, %w0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %w1 = stablehlo.subtract %w0, %p1 : tensor<4x4xf32>
  return %w1 : tensor<4x4xf32>
}

// -----

// No copies one after the other: each reads the same rows with the weight that is given.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:   echo.rolled
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %p0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p1 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %d = stablehlo.subtract %p0, %p1 : tensor<2x4xf32>
  return %d : tensor<2x4xf32>
}

// -----

// No copies: the second step does something else with its gradient.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:   echo.rolled
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %g0 = stablehlo.dot_general %x, %p0, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %w0 = stablehlo.subtract %w, %g0 : tensor<4x4xf32>
  %p1 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %g1 = stablehlo.dot_general %x, %p1, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %w1 = stablehlo.multiply %w0, %g1 : tensor<4x4xf32>
  return %w1 : tensor<4x4xf32>
}
