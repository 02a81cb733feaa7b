// Calls that JAX makes where it compiles for a GPU or a TPU: the random generator and permutations of pivots become ops, factorizations the calls of LAPACK that it makes on a CPU.
// RUN: split-file %s %t
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo | FileCheck %s
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo -o %t/out.mlir && echo-opt %t/out.mlir | diff %t/out.mlir -
// RUN: echo-run --check --no-cache %t/calls.mlir | FileCheck %s --check-prefix=HOLDS
// RUN: echo-run --check --device=interpreter --no-cache %t/ops.mlir | FileCheck %s --check-prefix=OPS
// RUN: not echo-opt %t/flag.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not echo-opt %t/rows.mlir --to=tensor 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not echo-opt %t/types.mlir --to=tensor --split-input-file 2>&1 | FileCheck %s --check-prefix=TYPES
// TYPES-COUNT-6: types.mlir{{.*}}error: 'stablehlo.custom_call' op {{calls|is not computed|operands and results}}
// HOLDS: calls.mlir: 8 passed, 0 failed, 0 refused
// OPS: ops.mlir: 4 passed, 0 failed, 0 refused
// FLAG: flag.mlir:2:10: error: 'stablehlo.custom_call' op calls 'cusolver_potrf_ffi', which is not known
// ROWS: rows.mlir:2:10: error: 'stablehlo.custom_call' op calls 'cusolver_geqrf_ffi', which is not known

//--- ops.mlir
// Random123's known answers for 20 rounds.
func.func @threefry() {
  %k0 = stablehlo.constant dense<[0, 4294967295, 320440878]> : tensor<3xui32>
  %k1 = stablehlo.constant dense<[0, 4294967295, 57701188]> : tensor<3xui32>
  %x0 = stablehlo.constant dense<[0, 4294967295, 608135816]> : tensor<3xui32>
  %x1 = stablehlo.constant dense<[0, 4294967295, 2242054355]> : tensor<3xui32>
  %0:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%k0, %k1, %x0, %x1) {mhlo.backend_config = {}} : (tensor<3xui32>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
  check.expect_eq_const %0#0, dense<[1797259609, 481924860, 3297917596]> : tensor<3xui32>
  check.expect_eq_const %0#1, dense<[2579123966, 3137350631, 1212020640]> : tensor<3xui32>
  func.return
}

// One batch exchanges rows 0 and 2, then 1 and 2; the other has no row 9.
func.func @pivots() {
  %p = stablehlo.constant dense<[[2, 2, 2], [0, 9, 3]]> : tensor<2x3xi32>
  %0 = stablehlo.custom_call @hip_lu_pivots_to_permutation(%p) {mhlo.backend_config = {}} : (tensor<2x3xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %0, dense<[[2, 0, 1, 3], [0, 1, 3, 2]]> : tensor<2x4xi32>
  func.return
}

// JAX's own numbers on a CPU.
func.func @cholesky_update() {
  %r = stablehlo.constant dense<[[2.0, 1.0, -1.0], [0.0, 3.0, 0.5], [0.0, 0.0, 1.5]]> : tensor<3x3xf32>
  %w = stablehlo.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf32>
  %0:2 = stablehlo.custom_call @cu_cholesky_update_ffi(%r, %w) {mhlo.backend_config = {}} : (tensor<3x3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %0#0, dense<[[2.236068, 0.8944272, 0.0], [0.0, 3.03315, 0.16484508], [0.0, 0.0, 2.7336471]]> : tensor<3x3xf32>
  func.return
}

func.func @syrk() {
  %a = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %c = stablehlo.constant dense<1.0> : tensor<1x3x3xf32>
  %d = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.custom_call @cusolver_syrk_ffi(%a, %c, %two, %half) {mhlo.backend_config = {transpose = false}} : (tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<f32>, tensor<f32>) -> tensor<1x3x3xf32>
  check.expect_eq_const %0, dense<[[[10.5, 22.5, 34.5], [22.5, 50.5, 78.5], [34.5, 78.5, 122.5]]]> : tensor<1x3x3xf32>
  %b = stablehlo.reshape %a : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.custom_call @hipsolver_syrk_ffi(%b, %d, %two, %half) {mhlo.backend_config = {transpose = true}} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[70.5, 88.5], [88.5, 112.5]]> : tensor<2x2xf32>
  func.return
}

//--- calls.mlir
// CHECK-LABEL: func.func @cholesky(
// CHECK:         stablehlo.custom_call @lapack_spotrf_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}
func.func @cholesky() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) {mhlo.backend_config = {lower = true}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_almost_eq_const %0#0, dense<[[2.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  func.return
}

// Jacobi's method gives V, LAPACK its adjoint: sums over both are the same, so one side is weighted.
// CHECK-LABEL: func.func @singular(
// CHECK:         %[[OUT:.*]]:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 83 : ui8}
// CHECK-SAME:    -> (tensor<2x3xcomplex<f32>>, tensor<2xf32>, tensor<2x2xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<i32>)
// CHECK:         %[[TURNED:.*]] = stablehlo.transpose %[[OUT]]#3, dims = [1, 0]
// CHECK:         stablehlo.imag %[[TURNED]]
// CHECK:         stablehlo.complex
func.func @singular() {
  %a = stablehlo.constant dense<[[(0.0, 0.0), (0.0, -3.0), (0.0, 0.0)], [(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %0:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%a) {mhlo.backend_config = {compute_uv = true, full_matrices = false}} : (tensor<2x3xcomplex<f32>>) -> (tensor<2x3xcomplex<f32>>, tensor<2xf32>, tensor<2x2xcomplex<f32>>, tensor<3x2xcomplex<f32>>, tensor<i32>)
  check.expect_almost_eq_const %0#1, dense<[4.0, 3.0]> : tensor<2xf32>
  %r = stablehlo.convert %0#1 : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %s = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %us = stablehlo.multiply %0#2, %s : tensor<2x2xcomplex<f32>>
  %t = stablehlo.transpose %0#3, dims = [1, 0] : (tensor<3x2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %re = stablehlo.real %t : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %im = stablehlo.imag %t : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %neg = stablehlo.negate %im : tensor<2x3xf32>
  %vt = stablehlo.complex %re, %neg : tensor<2x3xcomplex<f32>>
  %whole = stablehlo.dot_general %us, %vt, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq %whole, %a : tensor<2x3xcomplex<f32>>
  func.return
}

// CHECK-LABEL: func.func @tridiagonal(
// CHECK:         stablehlo.custom_call @lapack_dgtsv_ffi
// CHECK-SAME:    -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x1xf64>, tensor<i32>)
func.func @tridiagonal() {
  %l = stablehlo.constant dense<[0.0, 1.0, 1.0]> : tensor<3xf64>
  %d = stablehlo.constant dense<[2.0, 2.0, 2.0]> : tensor<3xf64>
  %u = stablehlo.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf64>
  %b = stablehlo.constant dense<[[4.0], [8.0], [8.0]]> : tensor<3x1xf64>
  %0 = stablehlo.custom_call @cusparse_gtsv2_ffi(%l, %d, %u, %b) {mhlo.backend_config = {}} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x1xf64>) -> tensor<3x1xf64>
  check.expect_almost_eq_const %0, dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf64>
  func.return
}

// What XLA knows by name: Householder's vectors times what they leave is the matrix, pivots count from 0, a string says which triangle.
func.func @orthogonal() {
  %a = stablehlo.constant dense<[[3.0, 1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  %q = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %q, dense<[[-0.6, -0.8], [-0.8, 0.6]]> : tensor<2x2xf32>
  func.return
}

func.func @triangular() {
  %a = stablehlo.constant dense<[[1.0, 4.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_almost_eq_const %0#0, dense<[[2.0, 2.0], [0.5, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[1, 1]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<[1, 0]> : tensor<2xi32>
  func.return
}

// A wide matrix lies by rows and is factored as its transpose: what comes in U's place is the adjoint of V.
// CHECK-LABEL: func.func @wide(
// CHECK:         %[[OUT:.*]]:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>]
// CHECK-SAME:    -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<i32>)
func.func @wide() {
  %a = stablehlo.constant dense<[[0.0, -3.0, 0.0], [4.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %0:5 = stablehlo.custom_call @cusolver_gesvd_ffi(%a) {mhlo.backend_config = {compute_uv = true, full_matrices = false, transposed = true}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>)
  %s = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.multiply %0#3, %s : tensor<2x2xf32>
  %2 = stablehlo.dot_general %1, %0#2, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq %2, %a : tensor<2x3xf32>
  func.return
}

// Values alone: numbers stand in the vectors' places, also of a batch.
// CHECK-LABEL: func.func @values(
// CHECK:         stablehlo.custom_call @lapack_sgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 78 : ui8}
// CHECK-SAME:    -> (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>, tensor<1xi32>)
func.func @values() {
  %a = stablehlo.constant dense<[[[0.0, -3.0, 0.0], [4.0, 0.0, 0.0]]]> : tensor<1x2x3xf32>
  %0:5 = stablehlo.custom_call @hipsolver_gesvd_ffi(%a) {mhlo.backend_config = {compute_uv = false, full_matrices = false, transposed = true}} : (tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<1xi32>)
  check.expect_almost_eq_const %0#1, dense<[[4.0, 3.0]]> : tensor<1x2xf32>
  func.return
}

// CHECK-LABEL: func.func @symmetric(
// CHECK:         stablehlo.custom_call @lapack_ssyevd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}
func.func @symmetric() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,15,0.000010"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %0#1, dense<[1.0, 3.0]> : tensor<2xf32>
  func.return
}

//--- flag.mlir
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %0#0 : tensor<2x2xf32>
}

//--- rows.mlir
func.func @main(%a: tensor<3x2xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.custom_call @cusolver_geqrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}

//--- types.mlir
// What no such call has, each by itself: a permutation that is no integers, V without rows, an alpha or a transform of another type, a token.
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %0:3 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xf32>)
  return %0#2 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2x2xf32>) -> tensor<f32> {
  %0:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%a) {mhlo.backend_config = {compute_uv = true, full_matrices = false}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<f32>, tensor<i32>)
  return %0#3 : tensor<f32>
}
// -----
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>, %alpha: tensor<f64>) -> tensor<2x1xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b, %alpha) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<f64>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
// -----
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %d = stablehlo.constant dense<[16, 0, 0, 0, 12, 0, 12, 0, 4, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]> : tensor<36xui8>
  %i = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.constant dense<1.0> : tensor<1xf64>
  %0 = stablehlo.custom_call @dynamic_ducc_fft(%d, %x, %i, %i, %i, %s) : (tensor<36xui8>, tensor<4xcomplex<f32>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xf64>) -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
// -----
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, !stablehlo.token)
  return %0#0 : tensor<2x2xf32>
}
// -----
func.func @main(%p: tensor<3xi32>) -> tensor<2x4xi32> {
  %0 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%p) : (tensor<3xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
