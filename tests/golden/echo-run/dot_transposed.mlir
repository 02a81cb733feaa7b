// The gradient of a weight as exporters write it that have no dot_general: what is transposed for a
// dot is never made.
// RUN: echo-run %s --plan-only | FileCheck %s
// CHECK: temporary 0 B
func.func @main(%x: tensor<2x128x1000xf32>, %h: tensor<256x64xf32>) -> tensor<1000x64xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x128x1000xf32>) -> tensor<256x1000xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<256x1000xf32>) -> tensor<1000x256xf32>
  %2 = stablehlo.dot %1, %h : (tensor<1000x256xf32>, tensor<256x64xf32>) -> tensor<1000x64xf32>
  return %2 : tensor<1000x64xf32>
}
