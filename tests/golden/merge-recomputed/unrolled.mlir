// RUN: echo-opt --pass-pipeline='builtin.module(unroll-loops,merge-recomputed)' %s | FileCheck %s

// Where a function is offered with its loops written out, that is what is merged.
// CHECK:       func.func @main(
// CHECK:         stablehlo.while
// CHECK:       attributes {echo.unrolled = @main}
// CHECK:         stablehlo.optimization_barrier
// CHECK:       attributes {echo.merged = @main}
// CHECK-COUNT-2: stablehlo.tanh
// CHECK-NOT:     stablehlo.tanh
// CHECK-NOT:     stablehlo.optimization_barrier
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %t = stablehlo.tanh %y : tensor<4xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4xf32>
  }
  %b:2 = stablehlo.optimization_barrier %x, %f#1 : tensor<4xf32>, tensor<4xf32>
  %u = stablehlo.tanh %b#0 : tensor<4xf32>
  %s = stablehlo.add %u, %b#1 : tensor<4xf32>
  return %f#1, %s : tensor<4xf32>, tensor<4xf32>
}
