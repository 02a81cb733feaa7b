// RUN: echo-opt %s --isolate-regions | FileCheck %s
// RUN: echo-opt %s --isolate-regions | echo-opt --isolate-regions | FileCheck %s
// RUN: echo-run %s --device=interpreter --seed=1 --quiet --outputs=%t.npz
// RUN: echo-run %s --seed=1 --no-cache --quiet --expect=%t.npz

// A scan takes what it reads from outside as carried values that it hands on: a mask that repeats something smaller is made in the body, and the loop carries it no more.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[M:.*]]: tensor<8x8xi1>
// CHECK-NOT:   stablehlo.broadcast_in_dim %[[M]]
// CHECK:       stablehlo.while
// CHECK-SAME:  : tensor<i32>, tensor<4x8x8xf32>{{$}}
// CHECK:       } do {
// CHECK:       %[[MASK:.*]] = stablehlo.broadcast_in_dim %[[M]], dims = [1, 2]
// CHECK:       stablehlo.select %[[MASK]]
func.func @main(%m: tensor<8x8xi1>, %x: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %mask = stablehlo.broadcast_in_dim %m, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<4x8x8xi1>
  %r:3 = stablehlo.while(%i = %zero, %handed = %mask, %s = %x) : tensor<i32>, tensor<4x8x8xi1>, tensor<4x8x8xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %low = stablehlo.constant dense<0.0> : tensor<4x8x8xf32>
    %t = stablehlo.tanh %s : tensor<4x8x8xf32>
    %u = stablehlo.select %handed, %t, %low : tensor<4x8x8xi1>, tensor<4x8x8xf32>
    stablehlo.return %next, %handed, %u : tensor<i32>, tensor<4x8x8xi1>, tensor<4x8x8xf32>
  }
  return %r#2 : tensor<4x8x8xf32>
}

// In a loop in a loop, too; what a product reads stays a buffer, and what the loop changes is its own.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[B:.*]]: tensor<8xf32>, %[[ONE:.*]]: tensor<f32>
// CHECK:       %[[W:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<8x8xf32>
// CHECK:       stablehlo.while({{.*}} = %[[W]]
// CHECK:       stablehlo.while(
// CHECK:       stablehlo.broadcast_in_dim %[[B]], dims = [1]
func.func @nested(%b: tensor<8xf32>, %one: tensor<f32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %r:4 = stablehlo.while(%i = %zero, %c = %bias, %d = %w, %s = %x) : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %p = stablehlo.dot_general %s, %d, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %q:3 = stablehlo.while(%k = %i, %e = %c, %t = %p) : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
    cond {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %more = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %up = stablehlo.add %k, %step : tensor<i32>
      %y = stablehlo.add %t, %e : tensor<8x8xf32>
      %z = stablehlo.tanh %y : tensor<8x8xf32>
      stablehlo.return %up, %e, %z : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
    }
    stablehlo.return %next, %c, %d, %q#2 : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#3 : tensor<8x8xf32>
}
