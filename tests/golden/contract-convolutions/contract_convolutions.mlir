// RUN: echo-opt %s --contract-convolutions | FileCheck %s
// RUN: echo-opt %s --contract-convolutions --contract-convolutions | FileCheck %s
// RUN: echo-opt %s --contract-convolutions --verify-roundtrip -o /dev/null
// RUN: echo-opt %s --to=step --target=sm_80 | FileCheck %s --check-prefix=STEP
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=CPU

// A processor's own kernels read any window as well: nothing is changed for one.
// CPU-NOT: stablehlo.dot_general
// STEP: stablehlo.dot_general

// One place of the window: places of an image are rows of a matrix, and lie as the result has them.
// CHECK-LABEL: func.func @forward
// CHECK:      %[[W:.*]] = stablehlo.reshape %{{.*}}{{.*}} : (tensor<1x1x3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %{{.*}}, %[[W]], contracting_dims = [3] x [0], precision = [HIGHEST, HIGHEST]{{.*}} : (tensor<2x5x6x3xf32>, tensor<3x4xf32>) -> tensor<2x5x6x4xf32>
// CHECK-NEXT: return %[[DOT]]
func.func @forward(%x: tensor<2x5x6x3xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<2x5x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x5x6x3xf32>, tensor<1x1x3x4xf32>) -> tensor<2x5x6x4xf32>
  return %0 : tensor<2x5x6x4xf32>
}

// Its gradient of data: features change sides.
// CHECK-LABEL: func.func @data
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [3] x [1]{{.*}} : (tensor<2x5x6x4xf32>, tensor<3x4xf32>) -> tensor<2x5x6x3xf32>
func.func @data(%x: tensor<2x5x6x4xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<2x5x6x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x4xf32>, tensor<1x1x3x4xf32>) -> tensor<2x5x6x3xf32>
  return %0 : tensor<2x5x6x3xf32>
}

// Its gradient of weights: a window as large as the image, and one place of the result. All that is summed over lies together.
// CHECK-LABEL: func.func @weights
// CHECK:      %[[DOT:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0, 1, 2] x [0, 1, 2]{{.*}} : (tensor<2x5x6x3xf32>, tensor<2x5x6x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: stablehlo.reshape %[[DOT]]{{.*}} : (tensor<3x4xf32>) -> tensor<1x1x3x4xf32>
func.func @weights(%x: tensor<2x5x6x3xf32>, %w: tensor<2x5x6x4xf32>) -> tensor<1x1x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<2x5x6x4xf32>) -> tensor<1x1x3x4xf32>
  return %0 : tensor<1x1x3x4xf32>
}

// Strides are a slice.
// CHECK-LABEL: func.func @strides
// CHECK:      %[[CUT:.*]] = stablehlo.slice %{{.*}} [0:2, 0:5:2, 0:4:3, 0:3]
// CHECK:      stablehlo.dot_general %[[CUT]], %{{.*}}, contracting_dims = [3] x [0]{{.*}} : (tensor<2x3x2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x2x4xf32>
func.func @strides(%x: tensor<2x5x6x3xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<2x3x2x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<1x1x3x4xf32>) -> tensor<2x3x2x4xf32>
  return %0 : tensor<2x3x2x4xf32>
}

// What the gradient of strided data has between its elements is no product.
// CHECK-LABEL: func.func @strides_data
// CHECK:      %[[DOT:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [3] x [1]{{.*}} : (tensor<2x3x2x4xf32>, tensor<3x4xf32>) -> tensor<2x3x2x3xf32>
// CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: stablehlo.pad %[[DOT]], %[[ZERO]], low = [0, 0, 0, 0], high = [0, 0, 2, 0], interior = [0, 1, 2, 0]{{.*}} : (tensor<2x3x2x3xf32>, tensor<f32>) -> tensor<2x5x6x3xf32>
func.func @strides_data(%x: tensor<2x3x2x4xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<2x5x6x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[0, 0], [0, 2]], lhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x2x4xf32>, tensor<1x1x3x4xf32>) -> tensor<2x5x6x3xf32>
  return %0 : tensor<2x5x6x3xf32>
}

// Of strided weights: a dilated window.
// CHECK-LABEL: func.func @strides_weights
// CHECK: %[[CUT:.*]] = stablehlo.slice %{{.*}} [0:2, 0:5:2, 0:4:3, 0:3]
// CHECK: stablehlo.dot_general %[[CUT]], %{{.*}}, contracting_dims = [0, 1, 2] x [0, 1, 2]{{.*}} : (tensor<2x3x2x3xf32>, tensor<2x3x2x4xf32>) -> tensor<3x4xf32>
func.func @strides_weights(%x: tensor<2x5x6x3xf32>, %w: tensor<2x3x2x4xf32>) -> tensor<1x1x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, 0], [0, -2]], rhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<2x3x2x4xf32>) -> tensor<1x1x3x4xf32>
  return %0 : tensor<1x1x3x4xf32>
}

// Places around the image are zeros, or are cut off.
// CHECK-LABEL: func.func @around
// CHECK: %[[CUT:.*]] = stablehlo.slice %{{.*}} [0:2, 0:5, 1:4, 0:3]
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %[[CUT]]
// CHECK: stablehlo.pad %[[DOT]], %{{.*}}, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0]
func.func @around(%x: tensor<2x5x6x3xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<2x8x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 1], [-1, -2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<1x1x3x4xf32>) -> tensor<2x8x3x4xf32>
  return %0 : tensor<2x8x3x4xf32>
}

// Features before places: a product from the left, of one image; of several it would take a transpose, and the convolution stays.
// CHECK-LABEL: func.func @features_first
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [1]{{.*}} : (tensor<4x3xf32>, tensor<1x3x5x6xf32>) -> tensor<4x1x5x6xf32>
// CHECK-NEXT: stablehlo.reshape %{{.*}} -> tensor<1x4x5x6xf32>
func.func @features_first(%x: tensor<1x3x5x6xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x5x6xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}

// CHECK-LABEL: func.func @features_between
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.convolution
func.func @features_between(%x: tensor<2x3x5x6xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<2x4x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x5x6xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// A classifier that is a window of the whole image; halves whose products are summed in f32.
// CHECK-LABEL: func.func @whole_image
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1, 2, 3] x [0, 1, 2]{{.*}} : (tensor<2x5x6x3xbf16>, tensor<5x6x3x4xbf16>) -> tensor<2x4xf32>
func.func @whole_image(%x: tensor<2x5x6x3xbf16>, %w: tensor<5x6x3x4xbf16>) -> tensor<2x1x1x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xbf16>, tensor<5x6x3x4xbf16>) -> tensor<2x1x1x4xf32>
  return %0 : tensor<2x1x1x4xf32>
}

// Other sums: a window that is turned, one that leaves its image, groups.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.convolution
func.func @turned(%x: tensor<2x5x6x3xf32>, %w: tensor<5x6x3x4xf32>) -> tensor<2x1x1x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<5x6x3x4xf32>) -> tensor<2x1x1x4xf32>
  return %0 : tensor<2x1x1x4xf32>
}

// CHECK-LABEL: func.func @leaving
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.convolution
func.func @leaving(%x: tensor<2x5x6x3xf32>, %w: tensor<6x6x3x4xf32>) -> tensor<2x1x1x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<6x6x3x4xf32>) -> tensor<2x1x1x4xf32>
  return %0 : tensor<2x1x1x4xf32>
}

// CHECK-LABEL: func.func @groups
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.convolution
func.func @groups(%x: tensor<2x5x6x4xf32>, %w: tensor<1x1x2x4xf32>) -> tensor<2x5x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x5x6x4xf32>, tensor<1x1x2x4xf32>) -> tensor<2x5x6x4xf32>
  return %0 : tensor<2x5x6x4xf32>
}
