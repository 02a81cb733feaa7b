// RUN: echo-opt --unroll-loops --split-input-file %s | FileCheck %s
// Once is enough.
// RUN: echo-opt --unroll-loops --split-input-file %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(unroll-loops,unroll-loops)' --split-input-file %s | diff %t.once.mlir -
// RUN: echo-opt --unroll-loops=max-ops=24 --split-input-file %s | FileCheck %s --check-prefix=SMALL
// RUN: not echo-opt --unroll-loops=max-ops=-1 --split-input-file %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: 'builtin.module' op max-ops is a number of ops, not -1

// A stack between two loops: beside the function stands the same without loops, in which nothing is stacked. The first reads row i, the
// second from the last to the first.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: stablehlo.while
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<2x4xf32>) -> tensor<1x4xf32> attributes {echo.unrolled = @main}
// CHECK-NEXT:    %[[R0:.*]] = stablehlo.slice %[[X]] [0:1, 0:4]
// CHECK-NEXT:    %[[T0:.*]] = stablehlo.tanh %[[R0]]
// CHECK-NEXT:    %[[R1:.*]] = stablehlo.slice %[[X]] [1:2, 0:4]
// CHECK-NEXT:    %[[T1:.*]] = stablehlo.tanh %[[R1]]
// CHECK-NEXT:    %[[A:.*]] = stablehlo.add %[[T1]], %[[T1]]
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[A]], %[[T0]]
// CHECK-NEXT:    %[[B:.*]] = stablehlo.add %[[M]], %[[T0]]
// CHECK-NEXT:    return %[[B]]
// SMALL-NOT: echo.unrolled
func.func @main(%x: tensor<2x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1x4xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %xs = %x) : tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>
   cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %r = stablehlo.dynamic_slice %xs, %i, %zero, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %t = stablehlo.tanh %r : tensor<1x4xf32>
    %u = stablehlo.dynamic_update_slice %s, %t, %i, %zero : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    stablehlo.return %j, %u, %xs : tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  %b:3 = stablehlo.while(%i = %zero, %s = %f#1, %g = %one) : tensor<i32>, tensor<2x4xf32>, tensor<1x4xf32>
   cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %k = stablehlo.subtract %step, %i : tensor<i32>
    %t = stablehlo.dynamic_slice %s, %k, %zero, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %m = stablehlo.multiply %g, %t : tensor<1x4xf32>
    %a = stablehlo.add %m, %t : tensor<1x4xf32>
    stablehlo.return %j, %s, %a : tensor<i32>, tensor<2x4xf32>, tensor<1x4xf32>
  }
  return %b#2 : tensor<1x4xf32>
}

// -----

// Of loops in each other the short one alone, where both would be too much; what ends when it will stays.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @until(
// CHECK-NOT:   echo.unrolled = @until
// CHECK:       func.func @main_0({{.*}}echo.unrolled = @main
// CHECK:         stablehlo.while
// CHECK:           dense<1000>
// CHECK-COUNT-3:   tanh
// CHECK-NOT:       tanh
// SMALL:       func.func @main_0({{.*}}echo.unrolled = @main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<1000> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %start = stablehlo.constant dense<0> : tensor<i32>
    %g:2 = stablehlo.while(%k = %start, %c = %h) : tensor<i32>, tensor<4xf32>
     cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %l = stablehlo.add %k, %one : tensor<i32>
      %t = stablehlo.tanh %c : tensor<4xf32>
      stablehlo.return %l, %t : tensor<i32>, tensor<4xf32>
    }
    stablehlo.return %j, %g#1 : tensor<i32>, tensor<4xf32>
  }
  return %f#1 : tensor<4xf32>
}
func.func @until(%x: tensor<f32>) -> tensor<f32> {
  %f = stablehlo.while(%h = %x) : tensor<f32>
   cond {
    %n = stablehlo.constant dense<3.0> : tensor<f32>
    %p = stablehlo.compare LT, %h, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %d = stablehlo.add %h, %h : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }
  return %f : tensor<f32>
}
