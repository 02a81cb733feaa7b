// RUN: echo-opt %s --pass-pipeline="nn-to-stablehlo,differentiate,canonicalize,dce" | FileCheck %s
// maximum(x, x) folds to x, whose gradient is 1 also where x is NaN: equal operands that are not
// known to be one have the same gradient, half of it each.
// CHECK: %[[G:.*]] = stablehlo.constant {echo.phase = "backward"} dense<5.000000e-01> : tensor<2xf32>
// CHECK: return {{.*}} %[[G]],
func.func @main() -> (tensor<2xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<[0x7FC00000, 3.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[0x7FC00000, 3.0]> : tensor<2xf32>
  %m = stablehlo.maximum %x, %y : tensor<2xf32>
  %loss = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %x) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %g, %loss : tensor<2xf32>, tensor<f32>
}
