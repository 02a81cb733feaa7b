// Positions in what is reduced do not fit 32 bits, though no buffer is that large: the code for a GPU is told.
// RUN: echo-opt %s --to=loops --target=sm_80 | FileCheck %s
// CHECK: kernel.wide_index
func.func @main(%a: tensor<65536xf32>, %b: tensor<32768xf32>) -> tensor<65536xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<65536xf32>) -> tensor<65536x32768xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32768xf32>) -> tensor<65536x32768xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<65536x32768xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<65536x32768xf32>, tensor<f32>) -> tensor<65536xf32>
  return %3 : tensor<65536xf32>
}
