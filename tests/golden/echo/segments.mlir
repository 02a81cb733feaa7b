// RUN: echo-opt --echo=budget=218000 %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=218000 %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// Sixteen iterations, whose states are stacked and read from the last to the first: three states are stored, each where a segment of
// five begins, and the second loop makes five slices at a time again, after the one of the last iteration, which was kept. The state
// counts, too: its number is stored with it.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dynamic_update_slice {{.*}} -> tensor<3x64x64xf32>
// CHECK:           stablehlo.while
// CHECK:             stablehlo.dot_general
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dynamic_update_slice {{.*}} -> tensor<1x64x64xf32>
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dynamic_slice {{.*}} (tensor<1x64x64xf32>
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dynamic_slice {{.*}} (tensor<3x64x64xf32>
// CHECK:           stablehlo.while
// CHECK:             stablehlo.dot_general {{.*}}echo.recompute
// CHECK:             stablehlo.dynamic_update_slice {{.*}} -> tensor<5x64x64xf32>
// CHECK:           stablehlo.while
// CHECK:             stablehlo.dynamic_slice {{.*}} (tensor<5x64x64xf32>
// CHECK-NOT:     tensor<16x64x64xf32>
func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>, %b: tensor<16x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<16> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<16x64x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %h = %x, %hs = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %b1 = stablehlo.dynamic_slice %b, %i, %zero, sizes = [1, 64] : (tensor<16x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %b2 = stablehlo.broadcast_in_dim %b1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<64x64xf32>
    %h1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %hs1 = stablehlo.dynamic_update_slice %hs, %h1, %i, %zero, %zero : (tensor<16x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x64xf32>
    %z = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a = stablehlo.add %z, %b2 : tensor<64x64xf32>
    %y = stablehlo.tanh %a : tensor<64x64xf32>
    stablehlo.return %j, %y, %hs1 : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
  }
  %r:3 = stablehlo.while(%i = %zero, %g = %f#1, %hs = %f#2) : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<15> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %h1 = stablehlo.dynamic_slice %hs, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<16x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.sine %h : tensor<64x64xf32>
    %m = stablehlo.dot_general %g, %s, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %m, %hs : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
  }
  return %r#1 : tensor<64x64xf32>
}
