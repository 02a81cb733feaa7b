// RUN: echo-opt %s --isolate-regions | FileCheck %s

// What a loop makes for itself, and what that was made of, is not left outside, in whichever order they are found.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     stablehlo.broadcast_in_dim
// CHECK:         stablehlo.while
// CHECK:         do {
// CHECK:           stablehlo.broadcast_in_dim {{.*}} -> tensor<8x4xf32>
// CHECK:           stablehlo.broadcast_in_dim {{.*}} -> tensor<8x4x2xf32>
func.func @main(%x: tensor<4xf32>, %y: tensor<8x4x2xf32>, %z: tensor<8x4xf32>) -> (tensor<8x4x2xf32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x2xf32>
  %r:3 = stablehlo.while(%i = %zero, %s = %y, %t = %z) : tensor<i32>, tensor<8x4x2xf32>, tensor<8x4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %d = stablehlo.multiply %t, %a : tensor<8x4xf32>
    %e = stablehlo.add %s, %b : tensor<8x4x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %e, %d : tensor<i32>, tensor<8x4x2xf32>, tensor<8x4xf32>
  }
  return %r#1, %r#2 : tensor<8x4x2xf32>, tensor<8x4xf32>
}
