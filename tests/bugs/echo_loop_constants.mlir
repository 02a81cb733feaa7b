// A constant that a loop reads from outside: Echo counted a buffer for it, which scheduling then does away with, and refused a
// budget that could be met.
//
// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s

// CHECK: echo.on_bytes = [[BYTES:[0-9]+]] : i64
// CHECK-SAME: plan.bound_bytes = [[BYTES]] : i64
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  %4:2 = stablehlo.while(%i = %start, %x = %0) : tensor<i32>, tensor<8xf32>
  cond {
    %6 = stablehlo.compare LT, %i, %start : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.add %i, %start : tensor<i32>
    %7 = stablehlo.add %x, %x : tensor<8xf32>
    stablehlo.return %6, %7 : tensor<i32>, tensor<8xf32>
  }
  %5 = stablehlo.dot_general %4#1, %arg1, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  %8 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0, %8 : tensor<8xf32>, tensor<f32>
}
