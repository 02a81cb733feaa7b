// Calls of LAPACK and of Fourier transforms as jaxlib made them before XLA's typed interface: scalar operands are attributes, sizes and working space go, and where one is no constant the call stays as it is.
// RUN: split-file %s %t
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo | FileCheck %s
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo -o %t/out.mlir && echo-opt %t/out.mlir | diff %t/out.mlir -
// RUN: echo-run --check --no-cache %t/calls.mlir | FileCheck %s --check-prefix=HOLDS
// RUN: not echo-opt %t/unknown.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not echo-opt %t/descriptor.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: not echo-opt %t/character.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=CHARACTER
// HOLDS: calls.mlir: 5 passed, 0 failed, 0 refused
// UNKNOWN: unknown.mlir:3:10: error: 'stablehlo.custom_call' op calls 'lapack_spotrf', which is not known
// CHARACTER: character.mlir:3:10: error: 'stablehlo.custom_call' op calls 'lapack_spotrf', which is not known
// DESCRIPTOR: descriptor.mlir:6:8: error: 'stablehlo.custom_call' op

//--- calls.mlir
// CHECK-LABEL: func.func @cholesky(
// CHECK:         stablehlo.custom_call @lapack_spotrf_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
func.func @cholesky() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %lower = stablehlo.constant dense<1> : tensor<i32>
  %batch = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.custom_call @lapack_spotrf(%lower, %batch, %n, %a) {api_version = 2 : i32, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_almost_eq_const %0#0, dense<[[2.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  func.return
}

// Singular values, without working space: mode S is vectors, and not all of them.
// CHECK-LABEL: func.func @singular(
// CHECK:         stablehlo.custom_call @lapack_dgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 83 : ui8}
// CHECK-SAME:    -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<i32>)
func.func @singular() {
  %a = stablehlo.constant dense<[[0.0, -3.0], [4.0, 0.0]]> : tensor<2x2xf64>
  %full = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %size = stablehlo.constant dense<64> : tensor<i32>
  %0:7 = stablehlo.custom_call @lapack_dgesdd(%full, %one, %one, %n, %n, %size, %a) {api_version = 2 : i32, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<i32>, tensor<16xi32>, tensor<64xf64>)
  check.expect_almost_eq_const %0#1, dense<[4.0, 3.0]> : tensor<2xf64>
  func.return
}

// A triangular system's right side is scaled before, where it is scaled at all.
// CHECK-LABEL: func.func @solve(
// CHECK:         %[[B:.*]] = stablehlo.multiply
// CHECK:         stablehlo.custom_call @lapack_strsm_ffi(%{{[a-z0-9]+}}, %[[B]]) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}
func.func @solve() {
  %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %alpha = stablehlo.constant dense<2.0> : tensor<f32>
  %no = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.custom_call @blas_strsm(%one, %one, %no, %no, %two, %one, %one, %alpha, %a, %b) {api_version = 2 : i32, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %0, dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  func.return
}

// jaxlib 0.4.3x has today's name, and alpha behind its operands.
// CHECK-LABEL: func.func @solve_scaled(
// CHECK:         %[[B:.*]] = stablehlo.multiply
// CHECK:         stablehlo.custom_call @lapack_dtrsm_ffi(%{{[a-z0-9]+}}, %[[B]])
// CHECK-SAME:    operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>]
func.func @solve_scaled() {
  %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf64>
  %alpha = stablehlo.constant dense<2.0> : tensor<f64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b, %alpha) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf64>, tensor<2x1xf64>, tensor<f64>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %0, dense<[[2.0], [4.0]]> : tensor<2x1xf64>
  func.return
}

// An inverse transform, which the descriptor says, by the scale that it is told: StableHLO's own, 1/4, times 4.
// CHECK-LABEL: func.func @inverse(
// CHECK:         stablehlo.fft %{{[a-z0-9]+}}, type =  IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
func.func @inverse() {
  %d = stablehlo.constant dense<[16, 0, 0, 0, 12, 0, 12, 0, 4, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]> : tensor<36xui8>
  %x = stablehlo.constant dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0), (-2.0, -2.0)]> : tensor<4xcomplex<f32>>
  %shape = stablehlo.constant dense<4> : tensor<1xi32>
  %stride = stablehlo.constant dense<1> : tensor<1xi32>
  %scale = stablehlo.constant dense<0.5> : tensor<1xf64>
  %0 = stablehlo.custom_call @dynamic_ducc_fft(%d, %x, %shape, %stride, %stride, %scale) {api_version = 2 : i32, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<36xui8>, tensor<4xcomplex<f32>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xf64>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[(2.0, 0.0), (4.0, 0.0), (6.0, 0.0), (8.0, 0.0)]> : tensor<4xcomplex<f32>>
  func.return
}

//--- unknown.mlir
// Which triangle is a value of the run.
func.func @main(%lower: tensor<i32>, %n: tensor<i32>, %a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf(%lower, %n, %n, %a) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %0#0 : tensor<2x2xf32>
}

//--- character.mlir
func.func @main(%n: tensor<i32>, %a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.custom_call @lapack_spotrf(%2, %n, %n, %a) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %0#0 : tensor<2x2xf32>
}

//--- descriptor.mlir
// Its table is said to begin beyond its end.
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %d = stablehlo.constant dense<[200, 0, 0, 0, 12, 0, 12, 0]> : tensor<8xui8>
  %i = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.constant dense<1.0> : tensor<1xf64>
  %0 = stablehlo.custom_call @dynamic_ducc_fft(%d, %x, %i, %i, %i, %s) : (tensor<8xui8>, tensor<4xcomplex<f32>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xf64>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
