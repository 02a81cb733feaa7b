// The rows of a depthwise product lie along a dimension for which the slab, whose places are vectors too, has few places for each sum: along the
// images it would hold 30 x 3 places of each of 8 for 28 x 8 sums, 720; along the columns it is a box of one image.
// RUN: echo-opt --to=loops %s | FileCheck %s
// CHECK: memref<360x32xf32>
// CHECK: memref<9x32xf32>
// CHECK: memref<280x32xf32>
func.func @main(%x: tensor<8x28x28x64xf32>, %k: tensor<3x3x1x64xf32>) -> tensor<8x28x28x64xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<8x28x28x64xf32>, tensor<3x3x1x64xf32>) -> tensor<8x28x28x64xf32>
  return %0 : tensor<8x28x28x64xf32>
}
