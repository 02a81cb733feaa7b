// RUN: echo-opt %s --split-complex --allow-unregistered-dialect --verify-diagnostics --split-input-file

func.func @order(%z: tensor<2xcomplex<f32>>) -> tensor<2xi1> {
  // expected-error@+1 {{orders complex numbers}}
  %0 = stablehlo.compare LT, %z, %z : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @rest(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error@+1 {{is not computed for complex numbers}}
  %0 = stablehlo.remainder %z, %z : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// expected-error@+1 {{has control flow between blocks, and complex numbers}}
func.func @blocks(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  return %z : tensor<2xcomplex<f32>>
}

// -----

// expected-error@+1 {{has complex numbers of type 'tensor<?xcomplex<f32>>'; they are computed for static shapes}}
func.func @dynamic(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  return %z : tensor<?xcomplex<f32>>
}

// -----

func.func @made(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{has complex numbers of type 'tensor<?xcomplex<f32>>'; they are computed for static shapes}}
  %0 = stablehlo.complex %x, %x : tensor<?xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @real_result(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32> {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'potrf'}}
  %0:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xcomplex<f32>>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @unknown(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  // expected-error@+1 {{is not computed for complex numbers}}
  %0 = stablehlo.custom_call @lapack_csyevd_ffi(%a) : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %0 : tensor<4x4xcomplex<f32>>
}

// -----

// In a loop, whose body is being split then.
func.func @in_loop(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %w = %z) : tensor<i32>, tensor<2xcomplex<f32>>
  cond {
    %end = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.negate %w : tensor<2xcomplex<f32>>
    // expected-error@+1 {{is not computed for complex numbers}}
    %3 = stablehlo.remainder %2, %w : tensor<2xcomplex<f32>>
    stablehlo.return %1, %3 : tensor<i32>, tensor<2xcomplex<f32>>
  }
  return %0#1 : tensor<2xcomplex<f32>>
}
