// Batch normalization, linear algebra, random numbers.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @batch_norm(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3xf32>) {
// CHECK-NEXT:    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK-NEXT:    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %output) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @batch_norm(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  %2:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %0#0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  "func.return"() : () -> ()
}

// CHECK:  func.func @linear_algebra(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x5xf32>, %arg2: tensor<8xcomplex<f32>>, %arg3: tensor<4x8xf32>) {
// CHECK-NEXT:    %0 = stablehlo.cholesky %arg0, lower = true : tensor<2x3x3xf32>
// CHECK-NEXT:    %1 = stablehlo.cholesky %arg0 : tensor<2x3x3xf32>
// CHECK-NEXT:    %2 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT:    %3 = stablehlo.fft %arg2, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
// CHECK-NEXT:    %4 = stablehlo.fft %arg2, type = IFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
// CHECK-NEXT:    %5 = stablehlo.fft %arg3, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
// CHECK-NEXT:    %6 = stablehlo.fft %5, type = IRFFT, length = [4, 8] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @linear_algebra(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x5xf32>, %arg2: tensor<8xcomplex<f32>>, %arg3: tensor<4x8xf32>) {
  %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %1 = "stablehlo.cholesky"(%arg0) : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %2 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %3 = "stablehlo.fft"(%arg2) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %4 = "stablehlo.fft"(%arg2) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %5 = "stablehlo.fft"(%arg3) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  %6 = "stablehlo.fft"(%5) <{fft_length = array<i64: 4, 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @random(%arg0: tensor<2xui64>, %arg1: tensor<3xui64>, %arg2: tensor<f32>, %arg3: tensor<2xi64>) {
// CHECK-NEXT:    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
// CHECK-NEXT:    %output_state_0, %output_1 = stablehlo.rng_bit_generator %arg1, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui8>)
// CHECK-NEXT:    %output_state_2, %output_3 = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<f32>)
// CHECK-NEXT:    %0 = stablehlo.rng %arg2, %arg2, %arg3, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT:    %1 = stablehlo.rng %arg2, %arg2, %arg3, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @random(%arg0: tensor<2xui64>, %arg1: tensor<3xui64>, %arg2: tensor<f32>, %arg3: tensor<2xi64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
  %1:2 = "stablehlo.rng_bit_generator"(%arg1) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui8>)
  %2:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<f32>)
  %3 = "stablehlo.rng"(%arg2, %arg2, %arg3) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = "stablehlo.rng"(%arg2, %arg2, %arg3) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  "func.return"() : () -> ()
}
