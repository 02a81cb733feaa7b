// cholesky and triangular_solve on the CPU, by LAPACK, against the interpreter's loops; a matrix that is not positive definite gives NaN.
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --rtol=1e-4 --atol=1e-5 | FileCheck %s
// RUN: echo-run %s --no-cache --echo --threads=3 --expect=%t.npz --rtol=1e-4 --atol=1e-5 --quiet
// CHECK-NOT: DIFFERENT
// CHECK: res6: same
// CHECK: res7: same, worst at [0, 0]: got nan, expected nan
func.func @main(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>, %c: tensor<2x4x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf16>, tensor<2x2xf64>) {
  %k = stablehlo.constant dense<[[4.0, 0.5, 0.3], [0.5, 5.0, 0.7], [0.3, 0.7, 6.0]]> : tensor<3x3xf32>
  %k2 = stablehlo.broadcast_in_dim %k, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %s = stablehlo.add %a, %k2 : tensor<2x3x3xf32>
  %l = stablehlo.cholesky %s, lower = true : tensor<2x3x3xf32>
  %u = stablehlo.cholesky %s, lower = false : tensor<2x3x3xf32>
  %0 = "stablehlo.triangular_solve"(%s, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = "stablehlo.triangular_solve"(%s, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = "stablehlo.triangular_solve"(%s, %c) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %3 = "stablehlo.triangular_solve"(%s, %c) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %h = stablehlo.convert %s : (tensor<2x3x3xf32>) -> tensor<2x3x3xf16>
  %4 = stablehlo.cholesky %h, lower = true : tensor<2x3x3xf16>
  %n = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf64>
  %5 = stablehlo.cholesky %n, lower = true : tensor<2x2xf64>
  return %l, %u, %0, %1, %2, %3, %4, %5 : tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf16>, tensor<2x2xf64>
}
