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
// CHECK:         "kernel.invoke"{{.*}}library = "echo"{{.*}}symbol = "echo_fft_f32", tasks = 5
func.func @spectrum(%z: tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>> {
  %0 = func.call @twice(%z) : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [34] : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  return %1 : tensor<5x34xcomplex<f32>>
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
