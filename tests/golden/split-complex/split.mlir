// RUN: echo-opt %s --split-complex | FileCheck %s

// A function keeps the bytes that it takes and gives; inside there are real and imaginary parts.
// CHECK-NOT: complex
// CHECK-LABEL: func.func private @twice(%arg0: tensor<5x34x2xf32>) -> tensor<5x34x2xf32> {
// CHECK-NEXT:    %[[A:.*]] = stablehlo.slice %arg0 [0:5, 0:34, 0:1]
// CHECK-NEXT:    %[[RE:.*]] = stablehlo.reshape %[[A]]
// CHECK-NEXT:    %[[B:.*]] = stablehlo.slice %arg0 [0:5, 0:34, 1:2]
// CHECK-NEXT:    %[[IM:.*]] = stablehlo.reshape %[[B]]
// CHECK-NEXT:    stablehlo.add %[[RE]], %[[RE]]
// CHECK-NEXT:    stablehlo.add %[[IM]], %[[IM]]
// CHECK:         stablehlo.concatenate
func.func private @twice(%z: tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>> {
  %0 = stablehlo.add %z, %z : tensor<5x34xcomplex<f32>>
  return %0 : tensor<5x34xcomplex<f32>>
}

// CHECK-LABEL: func.func @spectrum(
// CHECK:         "kernel.invoke"{{.*}}tile = 5 : i64, total = 5 : i64{{.*}}library = "echo"{{.*}}symbol = "echo_fft_f32", tasks = 1
func.func @spectrum(%z: tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>> {
  %0 = func.call @twice(%z) : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [34] : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  return %1 : tensor<5x34xcomplex<f32>>
}

// Real numbers have a routine of their own, forth and back; rows are taken by eights, and dealt out to tasks by what they take.
// CHECK-LABEL: func.func @of_real(
// CHECK:         "kernel.invoke"(%arg0) {{.*}}grid = array<i64: 3>{{.*}}symbol = "echo_rfft_f32", tasks = 1{{.*}} : (tensor<20x34xf32>) -> (tensor<20x18xf32>, tensor<20x18xf32>, tensor<1088xf64>)
// CHECK-NOT:     concatenate
// CHECK:         %[[X:.*]]:2 = "kernel.invoke"({{.*}}symbol = "echo_irfft_f32"
// CHECK:         return %[[X]]#0
func.func @of_real(%x: tensor<20x34xf32>) -> tensor<20x34xf32> {
  %0 = stablehlo.fft %x, type = RFFT, length = [34] : (tensor<20x34xf32>) -> tensor<20x18xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [34] : (tensor<20x18xcomplex<f32>>) -> tensor<20x34xf32>
  return %1 : tensor<20x34xf32>
}

// A body that a part goes through by itself is done twice, another one once, with two values.
// CHECK-LABEL: func.func @sums(
// CHECK-COUNT-2: stablehlo.reduce({{.*}}) applies stablehlo.add
// CHECK:         stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0]
func.func @sums(%z: tensor<3xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<complex<f32>>) {
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%z init: %one) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %1 = stablehlo.reduce(%z init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  return %0, %1 : tensor<complex<f32>>, tensor<complex<f32>>
}

// LAPACK takes pairs as they are; what is 1 for it is one more operand, the same for all items.
// CHECK-LABEL: func.func @solve(
// CHECK:         "kernel.invoke"(%{{.*}}, %{{.*}}, %{{.*}}) <{arguments = [{{.*}}{buffer = 2 : i64, strides = array<i64: 0>}, {buffer = 0 : i64, strides = array<i64: 64>}{{.*}}symbol = "ztrsm_"{{.*}}(tensor<3x2x2x2xf64>, tensor<3x2x2x2xf64>, tensor<2xf64>) -> tensor<3x2x2x2xf64>
func.func @solve(%a: tensor<3x2x2xcomplex<f64>>, %b: tensor<3x2x2xcomplex<f64>>) -> tensor<3x2x2xcomplex<f64>> {
  %0 = stablehlo.custom_call @lapack_ztrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<3x2x2xcomplex<f64>>, tensor<3x2x2xcomplex<f64>>) -> tensor<3x2x2xcomplex<f64>>
  return %0 : tensor<3x2x2xcomplex<f64>>
}

// The vectors of a conjugate pair come as two real columns.
// CHECK-LABEL: func.func @eigenvectors(
// CHECK:         %[[CALL:.*]]:7 = "kernel.invoke"(%{{.*}}) <{arguments = [{reference = 78 : i32}, {reference = 86 : i32}, {reference = 4 : i32}, {buffer = 6 : i64, from = 0 : i64, strides = array<i64: 64>}{{.*}}symbol = "sgeev_"
// CHECK:         stablehlo.compare GT
// CHECK:         stablehlo.compare LT
// CHECK:         stablehlo.negate
// CHECK:         return %[[CALL]]#0, %{{.*}} : tensor<4xf32>, tensor<4x4x2xf32>
func.func @eigenvectors(%a: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xcomplex<f32>>) {
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#0, %0#3 : tensor<4xf32>, tensor<4x4xcomplex<f32>>
}
