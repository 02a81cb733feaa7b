// Convolutions of f32 on tensor cores in tf32, where --tf32 allows it: forward, of the data and of the weights, with features last, of groups, and with places last. An operand is
// rounded by at most 2^-11 of it, so that a sum is off by 2^-10 of its terms' magnitudes, which add up to at most 2 here (216 products of normals of 0.1).
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --no-cache --expect=%t/want.npz --rtol=1e-5 --atol=1e-5
// RUN: echo-run %s --device=cuda --tf32 --quiet --expect=%t/want.npz --rtol=0 --atol=2e-3 --kernels --json=%t/kernels.json
// RUN: not echo-run %s --device=cuda --tf32 --quiet --expect=%t/want.npz --rtol=1e-5 --atol=1e-5
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'convolution' and x['launches']]; assert len(k) == 7 and all(x['tensor_flops'] > 0 and x['bank_conflicts'] == 0 for x in k)"
func.func @main(%x: tensor<2x9x8x16xf32>, %w: tensor<3x3x16x24xf32>, %dy: tensor<2x5x4x24xf32>, %c: tensor<2x5x9x7xf32>, %v: tensor<6x5x3x2xf32>, %u: tensor<3x3x8x24xf32>, %t: tensor<3x3x4x16xf32>)
    -> (tensor<2x5x4x24xf32>, tensor<2x9x8x16xf32>, tensor<3x3x16x24xf32>, tensor<2x6x7x6xf32>, tensor<2x9x8x24xf32>, tensor<1x9x8x16xf32>, tensor<2x3x2x24xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xf32>, tensor<3x3x16x24xf32>) -> tensor<2x5x4x24xf32>
  %1 = stablehlo.convolution(%dy, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 2]], lhs_dilate = [2, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4x24xf32>, tensor<3x3x16x24xf32>) -> tensor<2x9x8x16xf32>
  %2 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 0]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xf32>, tensor<2x5x4x24xf32>) -> tensor<3x3x16x24xf32>
  %3 = stablehlo.convolution(%c, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x9x7xf32>, tensor<6x5x3x2xf32>) -> tensor<2x6x7x6xf32>
  %4 = stablehlo.convolution(%x, %u) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x8x16xf32>, tensor<3x3x8x24xf32>) -> tensor<2x9x8x24xf32>
  %5 = stablehlo.slice %x [0:2, 0:9, 0:8, 0:4] : (tensor<2x9x8x16xf32>) -> tensor<2x9x8x4xf32>
  %6 = stablehlo.convolution(%5, %t) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x9x8x16xf32>
  %7 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xf32>, tensor<3x3x16x24xf32>) -> tensor<2x3x2x24xf32>
  return %0, %1, %2, %3, %4, %6, %7 : tensor<2x5x4x24xf32>, tensor<2x9x8x16xf32>, tensor<3x3x16x24xf32>, tensor<2x6x7x6xf32>, tensor<2x9x8x24xf32>, tensor<1x9x8x16xf32>, tensor<2x3x2x24xf32>
}
