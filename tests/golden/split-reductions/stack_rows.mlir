// Gradients of weights of few images, cut along the rows: what a part reads beyond its own rows is a halo. The same sums as in one piece.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-opt %s --split-reductions | FileCheck %s
// RUN: echo-opt %s --split-reductions -o %t/split.mlir
// RUN: echo-opt %t/split.mlir --split-reductions | diff %t/split.mlir -
// RUN: echo-opt %s --split-reductions --verify-roundtrip -o /dev/null
// RUN: echo-run %s --entry=same --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=same --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=valid --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=valid --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=some --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=some --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=strided --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=strided --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=cut_off --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=cut_off --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=apart --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=apart --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=far --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=far --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-5
// RUN: echo-run %s --entry=two_images --device=interpreter --quiet --outputs=%t/want.npz && echo-run %t/split.mlir --entry=two_images --device=interpreter --quiet --expect=%t/want.npz --norm-rtol=1e-2

// Rows before and behind each part; of the first and the last, zeros.
// CHECK-LABEL: func.func @same
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x18x8x4xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @same(%x: tensor<1x64x8x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x8x4xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0 : tensor<3x3x4x4xf32>
}

// The image has the rows behind the last part.
// CHECK-LABEL: func.func @valid
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x18x10x4xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @valid(%x: tensor<1x66x10x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x66x10x4xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0 : tensor<3x3x4x4xf32>
}

// It has some of them.
// CHECK-LABEL: func.func @some
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x18x10x4xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @some(%x: tensor<1x65x10x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x65x10x4xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0 : tensor<3x3x4x4xf32>
}

// Strides forward: rows of a part lie apart, and the image ends before the last of them does.
// CHECK-LABEL: func.func @strided
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x33x15x2xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @strided(%x: tensor<1x127x15x2xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x2x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x127x15x2xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x2x4xf32>
  return %0 : tensor<3x3x2x4xf32>
}

// Rows that nothing reads.
// CHECK-LABEL: func.func @cut_off
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x22x10x4xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @cut_off(%x: tensor<1x72x10x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[-4, -2], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x72x10x4xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0 : tensor<3x3x4x4xf32>
}

// Places of the result apart.
// CHECK-LABEL: func.func @apart
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x4x18x8x4xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 4
func.func @apart(%x: tensor<1x64x8x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<2x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x8x4xf32>, tensor<1x64x8x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// A result of 17 rows reaches further than a part of 8: parts are of 16 and the columns, which more parts have, are cut.
// CHECK-LABEL: func.func @far
// CHECK: stablehlo.concatenate {{.*}} -> tensor<1x64x8x4x2xf32>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 8
func.func @far(%x: tensor<1x64x16x2xf32>, %dy: tensor<1x64x16x2xf32>) -> tensor<17x3x2x2xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[8, 8], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x16x2xf32>, tensor<1x64x16x2xf32>) -> tensor<17x3x2x2xf32>
  return %0 : tensor<17x3x2x2xf32>
}

// Two images, features before places, halves.
// CHECK-LABEL: func.func @two_images
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x4x3x18x8xbf16>
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 6
func.func @two_images(%x: tensor<2x4x48x8xbf16>, %dy: tensor<2x8x48x8xbf16>) -> tensor<3x3x4x8xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x48x8xbf16>, tensor<2x8x48x8xbf16>) -> tensor<3x3x4x8xbf16>
  return %0 : tensor<3x3x4x8xbf16>
}

// A window that is turned, and one of a dilated input, stay whole.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: stablehlo.concatenate
// CHECK: stablehlo.convolution
func.func @turned(%x: tensor<1x64x8x4xf32>, %dy: tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x8x4xf32>, tensor<1x64x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0 : tensor<3x3x4x4xf32>
}
