// RUN: echo-run %s --quiet --outputs=%t.npz
// RUN: echo-run %s --quiet --device=interpreter --expect=%t.npz
// Transforms back to real numbers of no rows, or of rows of no numbers, kept the shape of what they were of.
func.func @main(%x: tensor<0x8xf32>, %y: tensor<3x0xf32>) -> (tensor<0x8xf32>, tensor<0x5xf32>, tensor<3x0xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<0x8xf32>) -> tensor<0x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<0x5xcomplex<f32>>) -> tensor<0x8xf32>
  %2 = stablehlo.real %0 : (tensor<0x5xcomplex<f32>>) -> tensor<0x5xf32>
  %3 = stablehlo.complex %y, %y : tensor<3x0xcomplex<f32>>
  %4 = stablehlo.fft %3, type = FFT, length = [0] : (tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<3x0xcomplex<f32>>) -> tensor<3x0xf32>
  return %1, %2, %5 : tensor<0x8xf32>, tensor<0x5xf32>, tensor<3x0xf32>
}
