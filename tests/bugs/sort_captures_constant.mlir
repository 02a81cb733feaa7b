// A constant that CSE shares between an op and the comparison inside a sort: fusing erased it while the comparison still read it.
//
// RUN: echo-opt %s --to=kernels | FileCheck %s

// CHECK: kernel.func
// CHECK: stablehlo.sort
// CHECK: stablehlo.constant
func.func @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>, tensor<f32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<12xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.maximum %arg1, %cst : tensor<f32>
    %3 = stablehlo.maximum %arg2, %cst : tensor<f32>
    %4 = stablehlo.compare LT, %2, %3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<12xf32>) -> tensor<12xf32>
  return %1, %0 : tensor<12xf32>, tensor<f32>
}
