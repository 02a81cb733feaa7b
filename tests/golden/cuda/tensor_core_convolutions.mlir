// Convolutions of halves as matrix products on tensor cores: forward, of the data and of the weights, with features last (copied 16 bytes at once), of
// groups, and with places last (element by element). A bf16 next to a tie may be the next one, 2^-7 away.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-4 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'convolution' and x['launches']]; assert len(k) == 7 and all(x['tensor_flops'] > 0 and x['bank_conflicts'] == 0 for x in k)"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// Beyond the padding nothing is read: the copy's second size is 0 there.
// CHECK-LABEL: .entry convolution_0__0(
// CHECK:       cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %r{{[0-9]+}};
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
func.func @main(%x: tensor<2x9x8x16xbf16>, %w: tensor<3x3x16x24xbf16>, %dy: tensor<2x5x4x24xbf16>, %c: tensor<2x5x9x7xf16>, %v: tensor<6x5x3x2xf16>, %u: tensor<3x3x8x24xbf16>, %t: tensor<3x3x4x16xbf16>)
    -> (tensor<2x5x4x24xbf16>, tensor<2x9x8x16xbf16>, tensor<3x3x16x24xf32>, tensor<2x6x7x6xf16>, tensor<2x9x8x24xbf16>, tensor<1x9x8x16xf32>, tensor<2x3x2x24xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xbf16>, tensor<3x3x16x24xbf16>) -> tensor<2x5x4x24xbf16>
  %1 = stablehlo.convolution(%dy, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 2]], lhs_dilate = [2, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4x24xbf16>, tensor<3x3x16x24xbf16>) -> tensor<2x9x8x16xbf16>
  %2 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 0]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xbf16>, tensor<2x5x4x24xbf16>) -> tensor<3x3x16x24xf32>
  %3 = stablehlo.convolution(%c, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x9x7xf16>, tensor<6x5x3x2xf16>) -> tensor<2x6x7x6xf16>
  %4 = stablehlo.convolution(%x, %u) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x8x16xbf16>, tensor<3x3x8x24xbf16>) -> tensor<2x9x8x24xbf16>
  %5 = stablehlo.slice %x [0:2, 0:9, 0:8, 0:4] : (tensor<2x9x8x16xbf16>) -> tensor<2x9x8x4xbf16>
  %6 = stablehlo.convolution(%5, %t) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xbf16>, tensor<3x3x4x16xbf16>) -> tensor<1x9x8x16xf32>
  %7 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x16xbf16>, tensor<3x3x16x24xbf16>) -> tensor<2x3x2x24xf32>
  return %0, %1, %2, %3, %4, %6, %7 : tensor<2x5x4x24xbf16>, tensor<2x9x8x16xbf16>, tensor<3x3x16x24xf32>, tensor<2x6x7x6xf16>, tensor<2x9x8x24xbf16>, tensor<1x9x8x16xf32>, tensor<2x3x2x24xf32>
}
