// RUN: echo-opt %s --split-input-file --isolate-regions | FileCheck %s
// A comparator that reads a constant from outside, as common subexpressions leave it, can still become a kernel.

// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.sort"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: stablehlo.add %{{.*}}, %[[ZERO]]
// CHECK-NEXT: stablehlo.add %{{.*}}, %[[ZERO]]
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %zero : tensor<f32>
    %2 = stablehlo.add %b, %zero : tensor<f32>
    %3 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %zero : tensor<4xf32>, tensor<f32>
}

// -----

// What a branch can make of what it reads anyway it makes itself; not what is read later, nor what is made of something else.
// CHECK-LABEL: func.func @made_inside
// CHECK-NOT:     stablehlo.multiply
// CHECK:         %[[D:.*]] = stablehlo.exponential
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate
// CHECK-NEXT:    %[[K:.*]] = stablehlo.tanh
// CHECK-NEXT:    "stablehlo.if"
// CHECK-NEXT:      %[[S:.*]] = stablehlo.multiply %arg1, %arg1
// CHECK-NEXT:      %[[A:.*]] = stablehlo.add %[[S]], %arg1
// CHECK-NEXT:      %[[B:.*]] = stablehlo.add %[[A]], %[[N]]
// CHECK-NEXT:      %[[C:.*]] = stablehlo.add %[[B]], %[[K]]
// CHECK-NEXT:      stablehlo.add %[[C]], %[[S]]
func.func @made_inside(%p: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = stablehlo.multiply %x, %x : tensor<4xf32>
  %t = stablehlo.add %s, %x : tensor<4xf32>
  %d = stablehlo.exponential %x : tensor<4xf32>
  %n = stablehlo.negate %d : tensor<4xf32>
  %k = stablehlo.tanh %x : tensor<4xf32>
  %r = "stablehlo.if"(%p) ({
    %b = stablehlo.add %t, %n : tensor<4xf32>
    %c = stablehlo.add %b, %k : tensor<4xf32>
    %e = stablehlo.add %c, %s : tensor<4xf32>
    stablehlo.return %e : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r, %k : tensor<4xf32>, tensor<4xf32>
}

// -----

// What repeats something smaller is made in the loop that computes with it, and in the loop inside of that, of what it is made of: no buffer
// of its size waits for the loop. Not what a matrix product or the loop itself reads, nor what is made of as much.
// CHECK-LABEL: func.func @wide(
// CHECK-SAME:    %[[B:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<2x4xbf16>
// CHECK-NEXT:    %[[INIT:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %[[KEPT:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[SAME:.*]] = stablehlo.tanh
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[INIT]])
// CHECK:         do
// CHECK-DAG:       %[[C:.*]] = stablehlo.convert %[[H]]
// CHECK-DAG:       %[[W:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
// CHECK:           stablehlo.dot_general %{{.*}}, %[[KEPT]]
// CHECK:           %[[A:.*]] = stablehlo.add %{{.*}}, %[[W]]
// CHECK:           stablehlo.multiply %[[A]], %[[C]]
// CHECK:           stablehlo.while
// CHECK:           do
// CHECK:             %[[I:.*]] = stablehlo.iota
// CHECK:             %[[V:.*]] = stablehlo.broadcast_in_dim %[[I]]
// CHECK:             stablehlo.compare LT, %{{.*}}, %[[V]]
// CHECK:             stablehlo.select %{{.*}}, %[[SAME]]
// CHECK:         stablehlo.slice %[[KEPT]]
func.func @wide(%b: tensor<4xf32>, %h: tensor<2x4xbf16>, %x: tensor<2x4xf32>, %n: tensor<i32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %wide = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %square = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %more = stablehlo.convert %h : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %count = stablehlo.iota dim = 0 : tensor<4xf32>
  %counts = stablehlo.broadcast_in_dim %count, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %same = stablehlo.tanh %x : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %wide) : tensor<i32>, tensor<2x4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %p = stablehlo.dot_general %v, %square, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %q = stablehlo.add %p, %wide : tensor<2x4xf32>
    %s = stablehlo.multiply %q, %more : tensor<2x4xf32>
    %t:2 = stablehlo.while(%k = %zero, %u = %s) : tensor<i32>, tensor<2x4xf32>
    cond {
      %c = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %less = stablehlo.compare LT, %u, %counts : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
      %w = stablehlo.select %less, %same, %u : tensor<2x4xi1>, tensor<2x4xf32>
      stablehlo.return %l, %w : tensor<i32>, tensor<2x4xf32>
    }
    stablehlo.return %j, %t#1 : tensor<i32>, tensor<2x4xf32>
  }
  %square_row = stablehlo.slice %square [0:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %r#1, %square_row : tensor<2x4xf32>, tensor<2x4xf32>
}
