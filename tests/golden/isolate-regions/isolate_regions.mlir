// RUN: echo-opt %s --isolate-regions | FileCheck %s
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
