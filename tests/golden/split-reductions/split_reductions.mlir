// RUN: echo-opt %s --split-reductions | FileCheck %s
// RUN: echo-opt %s --split-reductions --split-reductions | FileCheck %s
// RUN: echo-opt %s --split-reductions --verify-roundtrip -o /dev/null
// RUN: echo-opt %s --to=step --target=sm_80 | FileCheck %s --check-prefix=STEP
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=CPU

// A full sum: as many parts as fill a chip, each from the neutral element, then those from the initial value.
// CHECK-LABEL: func.func @full
// STEP-LABEL:  func.func @full
// STEP:        stablehlo.reshape %{{.*}} : (tensor<1024x1024xf32>) -> tensor<512x2x1024xf32>
// CPU-LABEL:   func.func @full
// CPU-NOT:     stablehlo.reshape
func.func @full(%x: tensor<1024x1024xf32>) -> tensor<f32> {
  // CHECK:      %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: %[[CUT:.*]] = stablehlo.reshape %{{.*}} : (tensor<1024x1024xf32>) -> tensor<512x2x1024xf32>
  // CHECK-NEXT: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reduce(%[[CUT]] init: %[[NEUTRAL]]) applies stablehlo.add across dimensions = [1, 2]
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.reduce(%[[PARTS]] init: %[[ONE]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Columns: 24 blocks of 32, so that 32 parts fill the chip; the divisor from 21 on.
// CHECK-LABEL: func.func @columns
func.func @columns(%x: tensor<8192x768xf32>) -> tensor<768xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: -> tensor<32x256x768xf32>
  // CHECK: applies stablehlo.maximum across dimensions = [1] {{.*}} -> tensor<32x768xf32>
  // CHECK: applies stablehlo.maximum across dimensions = [0] {{.*}} -> tensor<768xf32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8192x768xf32>, tensor<f32>) -> tensor<768xf32>
  return %0 : tensor<768xf32>
}

// Sums over places of images, of which no dimension alone has parts enough: they are one dimension first, so that a part is what lies side by side.
// CHECK-LABEL: func.func @places
func.func @places(%x: tensor<4x32x32x8xf32>, %y: tensor<5x4x30x30xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[ONE:.*]] = stablehlo.reshape %{{.*}} : (tensor<4x32x32x8xf32>) -> tensor<4096x8xf32>
  // CHECK: stablehlo.reshape %[[ONE]] : (tensor<4096x8xf32>) -> tensor<64x64x8xf32>
  // CHECK: applies stablehlo.add across dimensions = [1] {{.*}} -> tensor<64x8xf32>
  // CHECK: applies stablehlo.add across dimensions = [0] {{.*}} -> tensor<8xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  // What is summed on both sides of what is kept is cut where it was.
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<5x4x30x30xf32>) -> tensor<5x4x2x15x30xf32>
  %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<5x4x30x30xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// Rows enough, too few elements, a prime number of them, a body that is no single op: as they are.
// CHECK-LABEL: func.func @whole
func.func @whole(%rows: tensor<512x4096xf32>, %few: tensor<63x32xf32>, %prime: tensor<8191xf32>) -> (tensor<512xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK-NOT: stablehlo.reshape
  %0 = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x4096xf32>, tensor<f32>) -> tensor<512xf32>
  %1 = stablehlo.reduce(%few init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<63x32xf32>, tensor<f32>) -> tensor<32xf32>
  %2 = stablehlo.reduce(%prime init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8191xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%rows init: %zero) across dimensions = [0, 1] : (tensor<512x4096xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %c = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }
  return %0, %1, %2, %3 : tensor<512xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>
}

// A product of few results and many terms: parts of 128 terms, of halves in f32, then their sum, which is rounded once.
// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<4096x64xbf16>, %b: tensor<4096x96xbf16>) -> tensor<64x96xbf16> {
  // CHECK:      %[[A:.*]] = stablehlo.reshape %{{.*}} : (tensor<4096x64xbf16>) -> tensor<32x128x64xbf16>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.reshape %{{.*}} : (tensor<4096x96xbf16>) -> tensor<32x128x96xbf16>
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.dot_general %[[A]], %[[B]], batching_dims = [0] x [0], contracting_dims = [1] x [1] : {{.*}} -> tensor<32x64x96xf32>
  // CHECK:      %[[SUM:.*]] = stablehlo.reduce(%[[PARTS]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: stablehlo.convert %[[SUM]] : (tensor<64x96xf32>) -> tensor<64x96xbf16>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<4096x64xbf16>, tensor<4096x96xbf16>) -> tensor<64x96xbf16>
  return %0 : tensor<64x96xbf16>
}

// Of a batch, along the longer of two contracted dimensions, with its precision; other dimensions keep their places.
// CHECK-LABEL: func.func @batched
func.func @batched(%a: tensor<3x7x2x1024xf32>, %b: tensor<1024x3x2x5xf32>) -> tensor<3x7x5xf32> {
  // CHECK:      stablehlo.reshape %{{.*}} : (tensor<3x7x2x1024xf32>) -> tensor<3x7x2x16x64xf32>
  // CHECK-NEXT: stablehlo.reshape %{{.*}} : (tensor<1024x3x2x5xf32>) -> tensor<16x64x3x2x5xf32>
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0, 3] x [2, 0], contracting_dims = [2, 4] x [3, 1], precision = [HIGHEST, HIGHEST] : {{.*}} -> tensor<3x16x7x5xf32>
  // CHECK:      applies stablehlo.add across dimensions = [1]
  // CHECK-NOT:  stablehlo.convert
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2, 3] x [2, 0], precision = [HIGHEST, HIGHEST] : (tensor<3x7x2x1024xf32>, tensor<1024x3x2x5xf32>) -> tensor<3x7x5xf32>
  return %0 : tensor<3x7x5xf32>
}

// Results enough, too few terms, a prime number of them, integers, an algorithm that says how to sum: as they are.
// CHECK-LABEL: func.func @whole_products
func.func @whole_products(%a: tensor<1024x2048xf32>, %b: tensor<1024x1023xf32>, %c: tensor<64x8191xbf16>, %d: tensor<64x4096xi32>, %e: tensor<64x4096xf32>, %f: tensor<64x382xf32>) -> (tensor<2048x1023xf32>, tensor<1024x1024xf32>, tensor<64x64xbf16>, tensor<64x64xi32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  // CHECK-NOT: stablehlo.reshape
  // CHECK:     return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<1024x2048xf32>, tensor<1024x1023xf32>) -> tensor<2048x1023xf32>
  %1 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [1] : (tensor<1024x1023xf32>, tensor<1024x1023xf32>) -> tensor<1024x1024xf32>
  %2 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [1] : (tensor<64x8191xbf16>, tensor<64x8191xbf16>) -> tensor<64x64xbf16>
  %3 = stablehlo.dot_general %d, %d, contracting_dims = [1] x [1] : (tensor<64x4096xi32>, tensor<64x4096xi32>) -> tensor<64x64xi32>
  %4 = stablehlo.dot_general %e, %e, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<64x4096xf32>, tensor<64x4096xf32>) -> tensor<64x64xf32>
  %5 = stablehlo.dot_general %f, %f, contracting_dims = [1] x [1] : (tensor<64x382xf32>, tensor<64x382xf32>) -> tensor<64x64xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2048x1023xf32>, tensor<1024x1024xf32>, tensor<64x64xbf16>, tensor<64x64xi32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// A convolution of few results and many terms, of weights' gradients: parts of the batch are groups, each of which makes all results; of halves in f32.
// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<16x16x16x64xf32>, %dy: tensor<16x16x16x64xf32>) -> tensor<3x3x64x64xf32> {
  // CHECK:      %[[CUT:.*]] = stablehlo.reshape %{{.*}} : (tensor<16x16x16x64xf32>) -> tensor<8x2x16x16x64xf32>
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose %[[CUT]], dims = [1, 2, 3, 0, 4]
  // CHECK-NEXT: %[[WINDOW:.*]] = stablehlo.reshape %[[TURNED]] : (tensor<2x16x16x8x64xf32>) -> tensor<2x16x16x512xf32>
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.convolution(%{{.*}}, %[[WINDOW]]) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], {{.*}}pad = {{\[\[}}1, 1], [1, 1]]{{.*}}feature_group_count = 8 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]{{.*}} -> tensor<3x3x64x512xf32>
  // CHECK-NEXT: %[[APART:.*]] = stablehlo.reshape %[[PARTS]] : (tensor<3x3x64x512xf32>) -> tensor<3x3x64x8x64xf32>
  // CHECK:      stablehlo.reduce(%[[APART]] init: %{{.*}}) applies stablehlo.add across dimensions = [3] : {{.*}} -> tensor<3x3x64x64xf32>
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<16x16x16x64xf32>, tensor<16x16x16x64xf32>) -> tensor<3x3x64x64xf32>
  return %0 : tensor<3x3x64x64xf32>
}

// The window's dimension of results in front of that of its features; sums of f32 are as large as what is read with seven parts, so that there are four.
// CHECK-LABEL: func.func @convolution_of_halves
func.func @convolution_of_halves(%x: tensor<16x16x16x64xbf16>, %dy: tensor<64x16x16x16xbf16>) -> tensor<64x64x3x3xbf16> {
  // CHECK:      stablehlo.reshape %{{.*}} : (tensor<64x16x16x16xbf16>) -> tensor<64x16x4x4x16xbf16>
  // CHECK-NEXT: stablehlo.transpose %{{.*}}, dims = [2, 0, 1, 3, 4]
  // CHECK-NEXT: stablehlo.reshape %{{.*}} : (tensor<4x64x16x4x16xbf16>) -> tensor<256x16x4x16xbf16>
  // CHECK:      stablehlo.convolution{{.*}} feature_group_count = 4 : i64{{.*}} -> tensor<256x64x3x3xf32>
  // CHECK-NEXT: stablehlo.reshape %{{.*}} : (tensor<256x64x3x3xf32>) -> tensor<4x64x64x3x3xf32>
  // CHECK:      applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: stablehlo.convert
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[o, 0, i, 1]->[f, b, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xbf16>, tensor<64x16x16x16xbf16>) -> tensor<64x64x3x3xbf16>
  return %0 : tensor<64x64x3x3xbf16>
}

// Results enough, too few terms, groups: as they are.
// CHECK-LABEL: func.func @whole_convolutions
func.func @whole_convolutions(%x: tensor<16x16x16x64xf32>, %w: tensor<3x3x64x64xf32>, %y: tensor<3x10x10x8xf32>, %dy: tensor<16x16x16x4xf32>) -> (tensor<16x14x14x64xf32>, tensor<3x3x8x8xf32>, tensor<3x3x64x4xf32>) {
  // CHECK-NOT: stablehlo.reshape
  // CHECK:     return
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<16x14x14x64xf32>
  %1 = stablehlo.convolution(%y, %y) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x10x10x8xf32>, tensor<3x10x10x8xf32>) -> tensor<3x3x8x8xf32>
  %2 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<16x16x16x4xf32>) -> tensor<3x3x16x4xf32>
  %3 = stablehlo.concatenate %2, %2, %2, %2, dim = 2 : (tensor<3x3x16x4xf32>, tensor<3x3x16x4xf32>, tensor<3x3x16x4xf32>, tensor<3x3x16x4xf32>) -> tensor<3x3x64x4xf32>
  return %0, %1, %3 : tensor<16x14x14x64xf32>, tensor<3x3x8x8xf32>, tensor<3x3x64x4xf32>
}
