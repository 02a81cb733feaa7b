// What LAPACK writes follows from its numbers: each operand and result of each routine is of the shape that they imply.
// RUN: echo-opt %s --lower-custom-calls --verify-diagnostics --split-input-file

func.func @case(%a0: tensor<2x4x3xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'potrf', behind its batch}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'potrf', behind its batch}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'potrf'}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'getrf', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x3xf64>, tensor<2x4xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'getrf', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x3xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'getrf'}}
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x4xi32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'geqrf', behind its batch}}
  %0:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xcomplex<f32>>) -> (tensor<2x5x3xcomplex<f32>>, tensor<2x4xcomplex<f32>>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'geqrf', behind its batch}}
  %0:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xcomplex<f32>>) -> (tensor<2x5x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>, %a1: tensor<2x3xi32>) {
  // expected-error@+1 {{expects the dimensions [4] of operand 1 of LAPACK's 'geqp3', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>, tensor<2x3xi32>) -> (tensor<2x5x4xf64>, tensor<2x4xi32>, tensor<2x4xf64>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>, %a1: tensor<2x4xi32>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'geqp3', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>, tensor<2x4xi32>) -> (tensor<2x5x3xf64>, tensor<2x4xi32>, tensor<2x4xf64>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>, %a1: tensor<2x4xi32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'geqp3', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>, tensor<2x4xi32>) -> (tensor<2x5x4xf64>, tensor<2x3xi32>, tensor<2x4xf64>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>, %a1: tensor<2x4xi32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 2 of LAPACK's 'geqp3', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>, tensor<2x4xi32>) -> (tensor<2x5x4xf64>, tensor<2x4xi32>, tensor<2x3xf64>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>, %a1: tensor<2x3xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'orgqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_sorgqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x4xf32>, tensor<2x3xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>, %a1: tensor<2x3xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'ungqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_zungqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x5x3xcomplex<f64>>
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf64>, %a1: tensor<2x3xf64>, %a2: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [5, 3] of operand 0 of LAPACK's 'ormqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_dormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x5x4xf64>) -> tensor<2x5x4xf64>
  return
}

// -----

func.func @case(%a0: tensor<2x5x3xf64>, %a1: tensor<2x2xf64>, %a2: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [3] of operand 1 of LAPACK's 'ormqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_dormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x3xf64>, tensor<2x2xf64>, tensor<2x5x4xf64>) -> tensor<2x5x4xf64>
  return
}

// -----

func.func @case(%a0: tensor<2x5x3xf64>, %a1: tensor<2x3xf64>, %a2: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'ormqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_dormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x4xf64>) -> tensor<2x5x3xf64>
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xcomplex<f32>>, %a1: tensor<2x3xcomplex<f32>>, %a2: tensor<2x5x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [5, 3] of operand 0 of LAPACK's 'unmqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_cunmqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x5x4xcomplex<f32>>) -> tensor<2x5x4xcomplex<f32>>
  return
}

// -----

func.func @case(%a0: tensor<2x5x3xcomplex<f32>>, %a1: tensor<2x2xcomplex<f32>>, %a2: tensor<2x5x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [3] of operand 1 of LAPACK's 'unmqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_cunmqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x5x4xcomplex<f32>>) -> tensor<2x5x4xcomplex<f32>>
  return
}

// -----

func.func @case(%a0: tensor<2x5x3xcomplex<f32>>, %a1: tensor<2x3xcomplex<f32>>, %a2: tensor<2x5x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'unmqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_cunmqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x5x4xcomplex<f32>>) -> tensor<2x5x3xcomplex<f32>>
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x3xf32>, tensor<2x4xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x3xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 2 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x3xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 3 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x4xf32>, tensor<2x4x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gesdd'}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xcomplex<f64>>) -> (tensor<2x5x3xcomplex<f64>>, tensor<2x4xf64>, tensor<2x5x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xcomplex<f64>>) -> (tensor<2x5x4xcomplex<f64>>, tensor<2x3xf64>, tensor<2x5x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 2 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xcomplex<f64>>) -> (tensor<2x5x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x5x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 3 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xcomplex<f64>>) -> (tensor<2x5x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x5x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xcomplex<f64>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gesdd'}}
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xcomplex<f64>>) -> (tensor<2x5x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x5x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'gesvd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x3xf64>, tensor<2x4xf64>, tensor<2x5x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'gesvd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x3xf64>, tensor<2x5x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 2 of LAPACK's 'gesvd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x4xf64>, tensor<2x5x3xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 3 of LAPACK's 'gesvd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x4xf64>, tensor<2x5x4xf64>, tensor<2x4x3xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gesvd'}}
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x4xf64>) -> (tensor<2x5x4xf64>, tensor<2x4xf64>, tensor<2x5x4xf64>, tensor<2x4x4xf64>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'syevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'syevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'syevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'syevd'}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'heevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'heevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'heevd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'heevd'}}
  %0:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'sytrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'sytrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x3xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'sytrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [3] of result 2 of LAPACK's 'sytrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x2xf64>, tensor<2x3xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [3] of result 3 of LAPACK's 'sytrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'sytrd'}}
  %0:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'hetrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'hetrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'hetrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [3] of result 2 of LAPACK's 'hetrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x2xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [3] of result 3 of LAPACK's 'hetrd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x2xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'hetrd'}}
  %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'gehrd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 1 : i32, high = 4 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'gehrd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 1 : i32, high = 4 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [3] of result 1 of LAPACK's 'gehrd', behind its batch}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 1 : i32, high = 4 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gehrd'}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 1 : i32, high = 4 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'gees', behind its batch}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'gees', behind its batch}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x3xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 1 of LAPACK's 'gees', behind its batch}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 2 of LAPACK's 'gees', behind its batch}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 3 of LAPACK's 'gees', behind its batch}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gees'}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x1xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gees'}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'gees', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 0 of LAPACK's 'gees', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 1 of LAPACK's 'gees', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 2 of LAPACK's 'gees', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gees'}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2x1xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f32>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gees'}}
  %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2xi32>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'geev', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 0 of LAPACK's 'geev', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'geev', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 2 of LAPACK's 'geev', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 3 of LAPACK's 'geev', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'geev'}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x3xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'geev', behind its batch}}
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4] of result 0 of LAPACK's 'geev', behind its batch}}
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 1 of LAPACK's 'geev', behind its batch}}
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of result 2 of LAPACK's 'geev', behind its batch}}
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xcomplex<f64>>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'geev'}}
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x3xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of operand 1 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x3xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of operand 2 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x3x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 2] of operand 3 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x3x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 0 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x3xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 1 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4] of result 2 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x4x2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{expects the dimensions [4, 2] of result 3 of LAPACK's 'gtsv', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x1xf64>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4xf64>, %a1: tensor<2x4xf64>, %a2: tensor<2x4xf64>, %a3: tensor<2x4x2xf64>) {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'gtsv'}}
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x2xf64>, tensor<2x1xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>, %a1: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 5] of operand 0 of LAPACK's 'trsm', behind its batch}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a0, %a1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x5xf32>, %a1: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 4] of result 0 of LAPACK's 'trsm', behind its batch}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a0, %a1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x5xf32>, tensor<2x5x4xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>, %a1: tensor<2x5xf32>) {
  // expected-error@+1 {{has 5 reflectors, more than LAPACK's 'orgqr' takes of 5 x 4}}
  %0 = stablehlo.custom_call @lapack_sorgqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x4xf32>, tensor<2x5xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3xf32>) {
  // expected-error@+1 {{has 3 reflectors, more than LAPACK's 'orgqr' takes of 3 x 4}}
  %0 = stablehlo.custom_call @lapack_sorgqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x3x4xf32>, tensor<2x3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x6xf32>, %a1: tensor<2x6xf32>, %a2: tensor<2x5x4xf32>) {
  // expected-error@+1 {{has 6 reflectors, more than LAPACK's 'ormqr' takes of 5 x 4}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x6xf32>, tensor<2x6xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x3xf32>, %a1: tensor<2x3xf32>, %a2: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 3] of operand 0 of LAPACK's 'ormqr', behind its batch}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = false, transpose = true}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x5xf32>, %a1: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [4, 4] of operand 0 of LAPACK's 'trsm', behind its batch}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a0, %a1) {mhlo.backend_config = {side = 82 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x5x5xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects the dimensions [5, 5] of result 2 of LAPACK's 'gesdd', behind its batch}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expects 'mode' of its backend_config to be a character of "ASN"}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 79 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf64>) {
  // expected-error@+1 {{expects 'sort' of its backend_config to be a character of "N"}}
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 83 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects 'uplo' of its backend_config to be a character of "UL"}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a0) {mhlo.backend_config = {uplo = 88 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects 'low' of its backend_config from 1 to 4}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 0 : i32, high = 4 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects 'high' of its backend_config from 3 to 4}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 3 : i32, high = 2 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x4x4xf32>) {
  // expected-error@+1 {{expects 'high' of its backend_config from 1 to 4}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a0) {mhlo.backend_config = {low = 1 : i32, high = 5 : i32}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @case(%a0: tensor<2x5x4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a0) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x4xf32>, tensor<2x5x5xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return
}
