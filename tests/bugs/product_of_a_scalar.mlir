// A product or a convolution one of whose operands is a scalar, reshaped, was looked for in memory of no dimensions: the lowering for a GPU was a compiler bug.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --quiet --expect=%t/want.npz
// RUN: env ECHO_GPU=sm_80 echo-run %s --device=cuda --quiet --expect=%t/want.npz
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/want.npz
func.func @main(%s: tensor<f32>, %b: tensor<1x6xf32>, %h: tensor<f16>, %g: tensor<1x1x16x1xf16>, %k: tensor<3x3x1x4xf16>, %i: tensor<1x6x6x1xf16>) -> (tensor<1x6xf32>, tensor<6x1xf32>, tensor<1x16xf16>, tensor<1x4x4x1xf32>, tensor<1x5x5x4xf16>, tensor<1x5x5x1xf16>) {
  %a = stablehlo.reshape %s : (tensor<f32>) -> tensor<1x1xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x1xf32>, tensor<1x6xf32>) -> tensor<1x6xf32>
  %1 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %c = stablehlo.reshape %h : (tensor<f16>) -> tensor<1x1xf16>
  %d = stablehlo.reshape %g : (tensor<1x1x16x1xf16>) -> tensor<1x16xf16>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<1x1xf16>, tensor<1x16xf16>) -> tensor<1x16xf16>
  %x = stablehlo.slice %g [0:1, 0:1, 0:16, 0:1] : (tensor<1x1x16x1xf16>) -> tensor<1x1x16x1xf16>
  %y = stablehlo.convert %x : (tensor<1x1x16x1xf16>) -> tensor<1x1x16x1xf32>
  %z = stablehlo.reshape %y : (tensor<1x1x16x1xf32>) -> tensor<1x4x4x1xf32>
  %w = stablehlo.reshape %s : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %3 = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %p = stablehlo.reshape %h : (tensor<f16>) -> tensor<1x1x1x1xf16>
  %4 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1x1xf16>, tensor<3x3x1x4xf16>) -> tensor<1x5x5x4xf16>
  %q = stablehlo.reshape %h : (tensor<f16>) -> tensor<1x1x1x1xf16>
  %5 = stablehlo.convolution(%i, %q) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, -1], [0, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x6x1xf16>, tensor<1x1x1x1xf16>) -> tensor<1x5x5x1xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<1x6xf32>, tensor<6x1xf32>, tensor<1x16xf16>, tensor<1x4x4x1xf32>, tensor<1x5x5x4xf16>, tensor<1x5x5x1xf16>
}
