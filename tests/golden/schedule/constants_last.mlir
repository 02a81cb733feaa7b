// RUN: echo-opt %s --schedule=order=late | FileCheck %s

// A constant that a loop or the end of a block reads fills a buffer. It is made right before that, not before what the loop's other
// operands need: what stands meanwhile in the room that a result lends would leave it none.
// CHECK:      stablehlo.dot_general
// CHECK:      stablehlo.dot_general
// CHECK-NEXT: stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: stablehlo.while
// CHECK:      stablehlo.reduce
// CHECK-NEXT: stablehlo.constant dense<7> : tensor<i32>
// CHECK-NEXT: return
func.func @main(%a: tensor<5x7xf32>, %w: tensor<7x7xf32>) -> (tensor<f32>, tensor<i32>) {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x7xf32>) -> tensor<5x7xf32>
  %c = stablehlo.dot_general %b, %w, contracting_dims = [1] x [1] : (tensor<5x7xf32>, tensor<7x7xf32>) -> tensor<5x7xf32>
  %l:2 = stablehlo.while(%i = %zero, %h = %c) : tensor<i32>, tensor<5x7xf32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %on = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %on : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %h, %b : tensor<5x7xf32>
    stablehlo.return %n, %s : tensor<i32>, tensor<5x7xf32>
  }
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%l#1 init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  return %loss, %seven : tensor<f32>, tensor<i32>
}
