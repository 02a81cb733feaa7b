// Calls of cuSOLVER, cuBLAS, cuSPARSE and hipSOLVER as JAX made them before the typed interface: a C struct says what an attribute says now, working space is a result.
// RUN: split-file %s %t
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo | FileCheck %s
// RUN: echo-opt %t/calls.mlir --chlo-to-stablehlo -o %t/out.mlir && echo-opt %t/out.mlir | diff %t/out.mlir -
// RUN: echo-run --check --no-cache %t/calls.mlir | FileCheck %s --check-prefix=HOLDS
// RUN: not echo-opt %t/bad.mlir --to=tensor --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// HOLDS: calls.mlir: 9 passed, 0 failed, 0 refused
// BAD-COUNT-5: bad.mlir{{.*}}error: 'stablehlo.custom_call' op {{calls '(cu|hip)solver_[a-z]+', which is not known|operands and results}}

//--- calls.mlir
// hipSOLVER's fill mode 122: the lower triangle.
// CHECK-LABEL: func.func @symmetric_hip(
// CHECK:         stablehlo.custom_call @lapack_ssyevd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}
func.func @symmetric_hip() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:4 = stablehlo.custom_call @hipsolver_syevj(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\7A\00\00\00\01\00\00\00\02\00\00\00\00\01\00\00", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<256xf32>)
  check.expect_almost_eq_const %0#1, dense<[1.0, 3.0]> : tensor<2xf32>
  func.return
}

// cuBLAS's fill mode 1: the upper one; the size of the batch stands behind the matrices.
// CHECK-LABEL: func.func @symmetric_cuda(
// CHECK:         stablehlo.custom_call @lapack_zheevd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}
func.func @symmetric_cuda() {
  %a = stablehlo.constant dense<[[[(2.0, 0.0), (0.0, 1.0)], [(9.0, 9.0), (2.0, 0.0)]]]> : tensor<1x2x2xcomplex<f64>>
  %n = stablehlo.constant dense<1> : tensor<i32>
  %0:4 = stablehlo.custom_call @cusolver_syevd(%a, %n) {api_version = 2 : i32, backend_config = "\03\00\00\00\01\00\00\00\01\00\00\00\02\00\00\00\08\00\00\00"} : (tensor<1x2x2xcomplex<f64>>, tensor<i32>) -> (tensor<1x2x2xcomplex<f64>>, tensor<1x2xf64>, tensor<1xi32>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %0#1, dense<[[1.0, 3.0]]> : tensor<1x2xf64>
  func.return
}

// CHECK-LABEL: func.func @triangular(
// CHECK:         stablehlo.custom_call @lapack_sgetrf_ffi
func.func @triangular() {
  %a = stablehlo.constant dense<[[1.0, 4.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %0:4 = stablehlo.custom_call @cublas_getrf_batched(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\02\00\00\00\08\00\00\00"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>, tensor<8xi8>)
  check.expect_almost_eq_const %0#0, dense<[[2.0, 2.0], [0.5, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[2, 2]> : tensor<2xi32>
  func.return
}

// Q of a column, from its reflection: what says that nothing is wrong is zero.
// CHECK-LABEL: func.func @orthogonal(
// CHECK:         %[[QR:.*]]:2 = stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK:         stablehlo.custom_call @lapack_sorgqr_ffi(%[[QR]]#0, %[[QR]]#1)
func.func @orthogonal() {
  %a = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %0:4 = stablehlo.custom_call @cusolver_geqrf(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\01\00\00\00\08\00\00\00"} : (tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<i32>, tensor<8xf32>)
  %1:3 = stablehlo.custom_call @cusolver_orgqr(%0#0, %0#1) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\01\00\00\00\01\00\00\00\08\00\00\00"} : (tensor<2x1xf32>, tensor<1xf32>) -> (tensor<2x1xf32>, tensor<i32>, tensor<8xf32>)
  check.expect_almost_eq_const %1#0, dense<[[-0.6], [-0.8]]> : tensor<2x1xf32>
  check.expect_eq_const %1#1, dense<0> : tensor<i32>
  func.return
}

// CHECK-LABEL: func.func @tridiagonal(
// CHECK:         stablehlo.custom_call @lapack_dsytrd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {uplo = 76 : ui8}
func.func @tridiagonal() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 5.0]]> : tensor<2x2xf64>
  %0:6 = stablehlo.custom_call @cusolver_sytrd(%a) {api_version = 2 : i32, backend_config = "\01\00\00\00\00\00\00\00\01\00\00\00\02\00\00\00\02\00\00\00\08\00\00\00"} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<i32>, tensor<8xf64>)
  check.expect_almost_eq_const %0#1, dense<[2.0, 5.0]> : tensor<2xf64>
  check.expect_almost_eq_const %0#2, dense<[1.0]> : tensor<1xf64>
  func.return
}

// jobu 'S' counts to the same mode as today's.
// CHECK-LABEL: func.func @tall(
// CHECK:         stablehlo.custom_call @lapack_sgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 83 : ui8}
func.func @tall() {
  %a = stablehlo.constant dense<[[0.0, 4.0], [-3.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %0:6 = stablehlo.custom_call @cusolver_gesvd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\03\00\00\00\02\00\00\00\08\00\00\00\53\53\00\00", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<8xf32>)
  %s = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.multiply %0#2, %s : tensor<3x2xf32>
  %2 = stablehlo.dot_general %1, %0#3, contracting_dims = [1] x [0] : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq %2, %a : tensor<3x2xf32>
  func.return
}

// A wide one is handed over as its transpose, with everything by rows.
// CHECK-LABEL: func.func @wide(
// CHECK:         stablehlo.custom_call @lapack_sgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 65 : ui8}
// CHECK-SAME:    -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<i32>)
func.func @wide() {
  %a = stablehlo.constant dense<[[0.0, -3.0, 0.0], [4.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %0:6 = stablehlo.custom_call @hipsolver_gesvd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\03\00\00\00\02\00\00\00\08\00\00\00\41\41\00\00", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<8xf32>)
  %s = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %v = stablehlo.slice %0#2 [0:2, 0:3] : (tensor<3x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.multiply %0#3, %s : tensor<2x2xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq %2, %a : tensor<2x3xf32>
  func.return
}

// Jacobi's method gives V, not its adjoint; `econ` is the contrary of whole matrices.
// CHECK-LABEL: func.func @jacobi(
// CHECK:         stablehlo.custom_call @lapack_sgesdd_ffi(%{{[a-z0-9]+}}) {mhlo.backend_config = {mode = 83 : ui8}
// CHECK:         stablehlo.transpose
func.func @jacobi() {
  %a = stablehlo.constant dense<[[0.0, -3.0, 0.0], [4.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %0:6 = stablehlo.custom_call @cusolver_gesvdj(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\03\00\00\00\08\00\00\00\01\00\00\00\01\00\00\00"} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<3x2xf32>, tensor<i32>, tensor<8xf32>)
  %s = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.multiply %0#2, %s : tensor<2x2xf32>
  %2 = stablehlo.dot_general %1, %0#3, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq %2, %a : tensor<2x3xf32>
  func.return
}

// CHECK-LABEL: func.func @bands(
// CHECK:         stablehlo.custom_call @lapack_sgtsv_ffi
func.func @bands() {
  %dl = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %du = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[[4.0], [7.0]]> : tensor<2x1xf32>
  %0:2 = stablehlo.custom_call @cusparse_gtsv2_f32(%dl, %d, %du, %b) {api_version = 2 : i32, backend_config = "\01\00\00\00\02\00\00\00\01\00\00\00\02\00\00\00"} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<8xi8>)
  check.expect_almost_eq_const %0#0, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  func.return
}

//--- bad.mlir
// Structs that are none: too short, a fill mode of the other company, a job that is no letter; by rows what is no transpose; and no vectors, whose place is too small.
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %0:4 = stablehlo.custom_call @cusolver_syevd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\00\00"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<8xf32>)
  return %0#1 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %0:4 = stablehlo.custom_call @cusolver_syevd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\7A\00\00\00\01\00\00\00\02\00\00\00\00\01\00\00"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<8xf32>)
  return %0#1 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %0:6 = stablehlo.custom_call @cusolver_gesvd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\02\00\00\00\08\00\00\00\00\00"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<8xf32>)
  return %0#1 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<3x2xf32>) -> tensor<2xf32> {
  %0:4 = stablehlo.custom_call @cusolver_geqrf(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\01\00\00\00\08\00\00\00", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<i32>, tensor<8xf32>)
  return %0#1 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %0:6 = stablehlo.custom_call @cusolver_gesvd(%a) {api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\02\00\00\00\02\00\00\00\08\00\00\00\4E\4E\00\00"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<8xf32>)
  return %0#1 : tensor<2xf32>
}
