// RUN: echo-run %s --quiet --outputs=%t.cpu.npz && echo-run %s --quiet --device=interpreter --expect=%t.cpu.npz --rtol=0 --atol=0
// RUN: echo-run %s | FileCheck %s
// sin, tan and tanh of -0 are -0; their sums began with x + (-0 * 0 * p) and gave +0. What 1 is
// divided by tells.
// CHECK: res0 = [-inf, inf]
// CHECK: res1 = [-inf, inf]
// CHECK: res2 = [-inf, inf]
// CHECK: res3 = [-inf, inf]
// CHECK: res4 = [-inf, inf]
// CHECK: res5 = [-inf, inf]
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %x = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.divide %one, %0 : tensor<2xf32>
  %2 = stablehlo.tan %x : tensor<2xf32>
  %3 = stablehlo.divide %one, %2 : tensor<2xf32>
  %4 = stablehlo.tanh %x : tensor<2xf32>
  %5 = stablehlo.divide %one, %4 : tensor<2xf32>
  %y = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf64>
  %ones = stablehlo.constant dense<1.0> : tensor<2xf64>
  %6 = stablehlo.sine %y : tensor<2xf64>
  %7 = stablehlo.divide %ones, %6 : tensor<2xf64>
  %8 = stablehlo.tan %y : tensor<2xf64>
  %9 = stablehlo.divide %ones, %8 : tensor<2xf64>
  %10 = stablehlo.tanh %y : tensor<2xf64>
  %11 = stablehlo.divide %ones, %10 : tensor<2xf64>
  return %1, %3, %5, %7, %9, %11 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
