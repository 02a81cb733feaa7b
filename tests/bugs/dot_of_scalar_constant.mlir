// A dot_general with a scalar constant operand had no lowering to loops: the constant stands in its kernel.
// RUN: echo-run %s --no-cache --check --quiet
func.func @main() {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %y = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = stablehlo.dot_general %c, %y, contracting_dims = [] x [] : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[2.0, 4.0, 6.0]> : tensor<3xf32>
  %1 = stablehlo.dot_general %c, %c, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %1, dense<4.0> : tensor<f32>
  func.return
}
