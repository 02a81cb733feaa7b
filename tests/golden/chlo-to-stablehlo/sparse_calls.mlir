// A matrix of compressed rows times a dense matrix or vector is a call on a CPU in what JAX exports: a scatter here. lax.empty is a call on a GPU.
// RUN: split-file %s %t
// RUN: echo-run --check --no-cache %t/calls.mlir | FileCheck %s
// RUN: echo-run --check --device=interpreter --no-cache %t/calls.mlir | FileCheck %s
// RUN: not echo-opt %t/columns.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=COLUMNS
// CHECK: calls.mlir: 4 passed, 0 failed, 0 refused
// COLUMNS: columns.mlir:2:8: error: 'stablehlo.custom_call' op calls 'cpu_csr_sparse_dense_ffi', which is not known

//--- calls.mlir
// [[1, 0, 2], [0, 0, 0], [3, 4, 0]]; the last element stands in no row.
func.func @matrix() {
  %e = stablehlo.constant dense<[1.0, 2.0, 4.0, 3.0, 9.0]> : tensor<5xf32>
  %c = stablehlo.constant dense<[0, 2, 1, 0, 1]> : tensor<5xi32>
  %r = stablehlo.constant dense<[0, 2, 2, 4]> : tensor<4xi32>
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %c, %r, %x) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<5xf32>, tensor<5xi32>, tensor<4xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[11.0, 14.0], [0.0, 0.0], [15.0, 22.0]]> : tensor<3x2xf32>
  func.return
}

func.func @vector() {
  %e = stablehlo.constant dense<[(1.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %r = stablehlo.constant dense<[0, 0, 2]> : tensor<3xi64>
  %x = stablehlo.constant dense<[(3.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %c, %r, %x) : (tensor<2xcomplex<f64>>, tensor<2xi64>, tensor<3xi64>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(0.0, 0.0), (5.0, 1.0)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @nothing() {
  %e = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.constant dense<0> : tensor<3xi32>
  %x = stablehlo.constant dense<7> : tensor<4xi32>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %e, %r, %x) : (tensor<0xi32>, tensor<0xi32>, tensor<3xi32>, tensor<4xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<0> : tensor<2xi32>
  func.return
}

func.func @empty() {
  %0 = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2xbf16>
  %1 = stablehlo.subtract %0, %0 : tensor<2xbf16>
  check.expect_eq_const %1, dense<0.0> : tensor<2xbf16>
  func.return
}

//--- columns.mlir
func.func @main(%e: tensor<2xf32>, %c: tensor<2xi32>, %r: tensor<3xi32>, %x: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %c, %r, %x) {operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2xf32>, tensor<2xi32>, tensor<3xi32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
