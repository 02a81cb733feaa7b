// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about algebra, once.

func.func @f(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.batch_norm_inference' op feature_index 3 is out of range [0, 3)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.batch_norm_inference' op operand #2 must be a vector of the 3 features of 'tensor<2x3x4xf32>', but got 'tensor<4xf32>'}}
  %0 = "stablehlo.batch_norm_inference"(%a, %v, %w, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>, %g: tensor<2x3x5xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.batch_norm_grad' op operand and grad_output have different types: 'tensor<2x3x4xf32>', 'tensor<2x3x5xf32>'}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %v, %v, %v, %g) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.batch_norm_inference' op attribute 'epsilon' failed to satisfy constraint: f32}}
  %0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f64, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.cholesky' op expects square matrices, but got 'tensor<2x3xf32>'}}
  %0 = stablehlo.cholesky %a : tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.triangular_solve' op expects square matrices and right sides of the same rank and element type, but got 'tensor<2x3xf32>' and 'tensor<2x3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<3x3xf32>, %b: tensor<2x5xf32>) {
  // expected-error@+1 {{'stablehlo.triangular_solve' op a and b differ in dimension 0: 'tensor<3x3xf32>', 'tensor<2x5xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error@+1 {{'stablehlo.triangular_solve' op transpose_a must not be TRANSPOSE_INVALID}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @f(%a: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{'stablehlo.fft' op fft_length has 2 entries, expected 1 to 3 and at most the rank 1}}
  %0 = stablehlo.fft %a, type = FFT, length = [2, 4] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'stablehlo.fft' op fft_length asks for size 4 in dimension 0 of 'tensor<8xf32>'}}
  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'stablehlo.fft' op FFT does not take 'tensor<8xf32>'}}
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{'stablehlo.fft' op RFFT does not take 'tensor<8xcomplex<f32>>'}}
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{'DFT' is not a fft_type}}
  %0 = stablehlo.fft %a, type = DFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<f64>, %s: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.rng' op a, b and the result must have one element type, a and b be scalars}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.rng' op shape has 2 entries for a result of rank 1}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.rng' op a normal distribution needs floats, but got 'tensor<i32>'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<?x?xi32>
  return
}

// -----

func.func @f(%a: tensor<2xui64>) {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' op output_state has type 'tensor<3xui64>', initial_state 'tensor<2xui64>'}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<3xui64>, tensor<2xui32>)
  return
}

// -----

func.func @f(%a: tensor<3xui64>) {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' op a state of 3 64-bit words does not fit the algorithm}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2xui32>)
  return
}
