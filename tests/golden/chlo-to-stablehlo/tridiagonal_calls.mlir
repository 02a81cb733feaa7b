// What JAX calls for eigh_tridiagonal's vectors: tridiagonal systems, pivots moved off zero where a quotient would overflow.
// RUN: split-file %s %t
// RUN: echo-run --check --no-cache %t/calls.mlir | FileCheck %s
// RUN: not echo-opt %t/rows.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=ROWS
// CHECK: calls.mlir: 4 passed, 0 failed, 0 refused
// ROWS: rows.mlir:2:8: error: 'stablehlo.custom_call' op calls 'tridiagonal_solve_perturbed_ffi', which is not known

//--- calls.mlir
// [[2, 1, 0], [1, 2, 1], [0, 1, 2]], and the same with rows to be exchanged; what stands outside of the matrix counts for nothing.
func.func @regular() {
  %l = stablehlo.constant dense<[[9.0, 1.0, 1.0], [9.0, 4.0, 1.0]]> : tensor<2x3xf32>
  %d = stablehlo.constant dense<[[2.0, 2.0, 2.0], [1.0, 0.0, 2.0]]> : tensor<2x3xf32>
  %u = stablehlo.constant dense<[[1.0, 1.0, 9.0], [1.0, 2.0, 9.0]]> : tensor<2x3xf32>
  %r = stablehlo.constant dense<[[[4.0, 2.0], [8.0, 1.0], [8.0, 0.0]], [[3.0, 1.0], [10.0, 4.0], [8.0, 0.0]]]> : tensor<2x3x2xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%l, %d, %u, %r) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq_const %0, dense<[[[1.0, 1.0], [2.0, 0.0], [3.0, 0.0]], [[1.0, 1.0], [2.0, 0.0], [3.0, 0.0]]]> : tensor<2x3x2xf32>
  func.return
}

// [[1, 1], [1, 1]]: the second pivot is 2^-23, the spacing of numbers at the greatest one.
func.func @singular() {
  %l = stablehlo.constant dense<1.0> : tensor<2xf32>
  %r = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%l, %l, %l, %r) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %0, dense<[[-8388607.0], [8388608.0]]> : tensor<2x1xf32>
  func.return
}

// A pivot is moved again, by twice as much, as long as it is too small.
func.func @zero() {
  %l = stablehlo.constant dense<0.0> : tensor<1xf32>
  %r = stablehlo.constant dense<[[12.0]]> : tensor<1x1xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%l, %l, %l, %r) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %0, dense<[[0x7E4CCCCD]]> : tensor<1x1xf32>
  func.return
}

// [[i, 1], [1, 1]]
func.func @complex() {
  %l = stablehlo.constant dense<(1.0, 0.0)> : tensor<2xcomplex<f64>>
  %d = stablehlo.constant dense<[(0.0, 1.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %r = stablehlo.constant dense<[[(2.0, 1.0)], [(3.0, 0.0)]]> : tensor<2x1xcomplex<f64>>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%l, %d, %l, %r) : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[[(1.0, 0.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f64>>
  func.return
}

//--- rows.mlir
func.func @main(%l: tensor<3xf32>, %r: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%l, %l, %l, %r) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
