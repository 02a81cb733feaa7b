// Depthwise convolutions and their gradients, whose lanes are groups: as the interpreter has them (up to 400 products of numbers of about 1, in
// another order), the same bits on any number of threads; layouts with the groups first or last, numbers of groups that are no multiple of the
// lanes, strides, dilations, holes in the input, groups of the batch, other elements. Groups of more than one feature stay as they are.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --no-cache --threads=1 --quiet --expect=%t/want.npz --rtol=1e-5 --atol=1e-4 --outputs=%t/one.npz
// RUN: echo-run %s --no-cache --threads=3 --quiet --outputs=%t/three.npz && cmp %t/one.npz %t/three.npz
// RUN: echo-opt --to=loops --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-translate --emit=bundle --cpu=x86-64 %s -o %t/old.bundle && echo-run-bundle %t/old.bundle --quiet --expect=%t/one.npz --rtol=0 --atol=0
// CHECK: sym_name = "convolution_0"
// CHECK: vector<16xf32>
func.func @main(%x: tensor<2x9x8x37xf32>, %k: tensor<3x3x1x37xf32>, %y: tensor<2x20x9x8xf32>, %l: tensor<20x1x3x3xf32>, %dy: tensor<2x9x8x37xf32>,
                %z: tensor<2x6x6x5xf64>, %m: tensor<2x2x1x5xf64>, %h: tensor<2x6x6x16xbf16>, %n: tensor<3x3x1x16xbf16>, %i: tensor<2x6x6x6xi32>,
                %o: tensor<2x2x1x6xi32>, %p: tensor<2x6x6x8xf32>, %q: tensor<2x2x2x8xf32>) ->
    (tensor<2x9x8x37xf32>, tensor<2x20x5x4xf32>, tensor<3x3x1x37xf32>, tensor<2x11x11x5xf64>, tensor<2x4x4x16xbf16>, tensor<2x4x4x6xi32>, tensor<2x5x5x8xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 37 : i64} : (tensor<2x9x8x37xf32>, tensor<3x3x1x37xf32>) -> tensor<2x9x8x37xf32>
  %1 = stablehlo.convolution(%y, %l) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 20 : i64} : (tensor<2x20x9x8xf32>, tensor<20x1x3x3xf32>) -> tensor<2x20x5x4xf32>
  %2 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 37 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x37xf32>, tensor<2x9x8x37xf32>) -> tensor<3x3x1x37xf32>
  %3 = stablehlo.convolution(%z, %m) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 0], [1, 0]], lhs_dilate = [2, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 5 : i64} : (tensor<2x6x6x5xf64>, tensor<2x2x1x5xf64>) -> tensor<2x11x11x5xf64>
  %4 = stablehlo.convolution(%h, %n) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<2x6x6x16xbf16>, tensor<3x3x1x16xbf16>) -> tensor<2x4x4x16xbf16>
  %5 = stablehlo.convolution(%i, %o) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<2x6x6x6xi32>, tensor<2x2x1x6xi32>) -> tensor<2x4x4x6xi32>
  %6 = stablehlo.convolution(%p, %q) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x6x6x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x5x5x8xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x9x8x37xf32>, tensor<2x20x5x4xf32>, tensor<3x3x1x37xf32>, tensor<2x11x11x5xf64>, tensor<2x4x4x16xbf16>, tensor<2x4x4x6xi32>, tensor<2x5x5x8xf32>
}
