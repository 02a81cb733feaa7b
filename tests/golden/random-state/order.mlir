// RUN: echo-opt %s --split-input-file --random-state | FileCheck %s
// RUN: echo-opt %s --split-input-file --random-state -o %t.mlir && echo-opt --split-input-file %t.mlir | diff %t.mlir -

// The state is main's last argument, beside those that have attributes and those that have none; it goes from one draw to the next,
// and each draws from what the one before it leaves. What nobody draws in stays as it is.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: tensor<f32> {jax.buffer_donor = true}, %arg1: tensor<f32>, %arg2: tensor<3xui64> {echo.random_state}) -> (tensor<4xf32>, tensor<2xf64>)
// CHECK:         %[[S1:.*]], %[[B1:.*]] = stablehlo.rng_bit_generator %arg2, algorithm = PHILOX {{.*}}(tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
// CHECK:         %[[S2:.*]], %[[B2:.*]] = stablehlo.rng_bit_generator %[[S1]], algorithm = PHILOX {{.*}}(tensor<3xui64>) -> (tensor<3xui64>, tensor<2xui64>)
// CHECK:         %{{.*}}, %[[B3:.*]] = stablehlo.rng_bit_generator %[[S2]], algorithm = PHILOX {{.*}}(tensor<3xui64>) -> (tensor<3xui64>, tensor<2xui64>)
// CHECK-NOT:     stablehlo.rng %
func.func @main(%low: tensor<f32> {jax.buffer_donor = true}, %high: tensor<f32>) -> (tensor<4xf32>, tensor<2xf64>) {
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %mean = stablehlo.constant dense<0.0> : tensor<f64>
  %deviation = stablehlo.constant dense<1.0> : tensor<f64>
  %a = stablehlo.rng %low, %high, %four, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %b = stablehlo.rng %mean, %deviation, %two, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<2xf64>
  return %a, %b : tensor<4xf32>, tensor<2xf64>
}
// CHECK-LABEL: func.func @none(%arg0: tensor<f32>) -> tensor<f32> {
func.func @none(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// A loop carries it, a branch gives it back, drawn from or not.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg1: tensor<3xui64> {echo.random_state}
// CHECK:         %[[LOOP:.*]]:2 = stablehlo.while(%{{.*}} = %arg0, %[[IN:.*]] = %arg1) : tensor<i32>, tensor<3xui64>
// CHECK:         do {
// CHECK:           %[[NEXT:.*]], %{{.*}} = stablehlo.rng_bit_generator %[[IN]], algorithm = PHILOX
// CHECK:           stablehlo.return %{{.*}}, %[[NEXT]] : tensor<i32>, tensor<3xui64>
// CHECK:         %[[BRANCH:.*]]:2 = "stablehlo.case"(%[[LOOP]]#0)
// CHECK:           stablehlo.return %{{.*}}, %[[LOOP]]#1 : tensor<i32>, tensor<3xui64>
// CHECK:           %[[DRAWN:.*]], %{{.*}} = stablehlo.rng_bit_generator %[[LOOP]]#1
// CHECK:           stablehlo.return %{{.*}}, %[[DRAWN]] : tensor<i32>, tensor<3xui64>
// CHECK:         stablehlo.rng_bit_generator %[[BRANCH]]#1
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %low = stablehlo.constant dense<0> : tensor<i32>
  %high = stablehlo.constant dense<9> : tensor<i32>
  %scalar = stablehlo.constant dense<> : tensor<0xi64>
  %r = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %high : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %x = stablehlo.rng %low, %high, %scalar, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
      %next = stablehlo.add %i, %x : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  %b = "stablehlo.case"(%r) ({
    stablehlo.return %low : tensor<i32>
  }, {
    %x = stablehlo.rng %low, %high, %scalar, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %last = stablehlo.rng %low, %high, %scalar, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
  %sum = stablehlo.add %b, %last : tensor<i32>
  return %sum : tensor<i32>
}
