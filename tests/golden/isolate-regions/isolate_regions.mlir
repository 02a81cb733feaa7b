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
