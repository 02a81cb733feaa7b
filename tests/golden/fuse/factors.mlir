// Where a target's products are loops of ours, what is cheap stands before one in its kernel, if to make it once a tile costs less than to write and to read it: a launch counts where no other kernel could have made it.
// RUN: echo-opt --pass-pipeline='builtin.module(fuse{target=sm_90 device=gpu-h100-80g})' %s | FileCheck %s
// RUN: echo-opt --pass-pipeline='builtin.module(fuse)' %s | FileCheck %s --check-prefix=CPU
// CPU-NOT: kind = "contraction"{{.*}}tensor<f32>

// CHECK-LABEL: kind = "contraction", sym_name = "contraction_0"
// CHECK-NEXT: ^bb0(%arg0: tensor<f32>, %arg1: tensor<64x96xf32>, %arg2: tensor<64x96xf32>):
// CHECK-NEXT:   stablehlo.broadcast_in_dim
// CHECK-NEXT:   stablehlo.multiply
// CHECK-NEXT:   stablehlo.convert
// CHECK-NEXT:   stablehlo.convert
// CHECK-NEXT:   stablehlo.dot_general
func.func @casts(%x: tensor<64x96xf32>, %s: tensor<f32>, %y: tensor<64x96xf32>) -> tensor<64x64xf32> {
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64x96xf32>
  %0 = stablehlo.multiply %x, %b : tensor<64x96xf32>
  %1 = stablehlo.convert %0 : (tensor<64x96xf32>) -> tensor<64x96xbf16>
  %2 = stablehlo.convert %y : (tensor<64x96xf32>) -> tensor<64x96xbf16>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [1] : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// The kernel that makes the square writes what is made of it, too.
// CHECK-LABEL: func.func @made_anyway
// CHECK-NEXT:    %[[ALL:.*]]:2 = "kernel.call"(%arg0)
// CHECK-NEXT:    "kernel.call"(%[[ALL]]#1, %arg1)
func.func @made_anyway(%x: tensor<64x64xf32>, %w: tensor<64x256xf32>) -> (tensor<64x64xf32>, tensor<64x256xf32>) {
  %0 = stablehlo.multiply %x, %x : tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  return %0, %2 : tensor<64x64xf32>, tensor<64x256xf32>
}

// Dear, and read by 64 tiles.
// CHECK-LABEL: func.func @dear
// CHECK-COUNT-2: "kernel.call"
func.func @dear(%x: tensor<4096x512xf32>, %w: tensor<512x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = stablehlo.tanh %x : tensor<4096x512xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<4096x512xf32>, tensor<512x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
// A convolution reads an element once a tap: cheap maps of it stand in its kernel, and so does a transpose that keeps what runs through memory. What is dear does not, nor does what takes a function of bf16 where
// tiles are few.
// CHECK-LABEL: func.func @taps
// CHECK-COUNT-1: "kernel.call"
// CHECK-NOT: "kernel.call"
func.func @taps(%x: tensor<2x9x9x8xf32>, %s: tensor<8xf32>, %w: tensor<3x3x8x12xf32>) -> tensor<2x7x7x12xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x9x9x8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<8xf32>) -> tensor<2x9x9x8xf32>
  %0 = stablehlo.multiply %x, %b : tensor<2x9x9x8xf32>
  %1 = stablehlo.maximum %0, %zero : tensor<2x9x9x8xf32>
  %2 = stablehlo.convolution(%1, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x8xf32>, tensor<3x3x8x12xf32>) -> tensor<2x7x7x12xf32>
  return %2 : tensor<2x7x7x12xf32>
}
// CHECK-LABEL: func.func @turned_window
// CHECK-COUNT-1: "kernel.call"
// CHECK-NOT: "kernel.call"
func.func @turned_window(%x: tensor<8x9x9x16xf32>, %w: tensor<8x7x7x12xf32>) -> tensor<3x3x16x24xf32> {
  %0 = stablehlo.reshape %w : (tensor<8x7x7x12xf32>) -> tensor<2x4x7x7x12xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 3, 0, 4] : (tensor<2x4x7x7x12xf32>) -> tensor<4x7x7x2x12xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x7x7x2x12xf32>) -> tensor<4x7x7x24xf32>
  %3 = stablehlo.convolution(%x, %2) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<8x9x9x16xf32>, tensor<4x7x7x24xf32>) -> tensor<3x3x16x24xf32>
  return %3 : tensor<3x3x16x24xf32>
}
// CHECK-LABEL: func.func @dear_taps
// CHECK-COUNT-2: "kernel.call"
func.func @dear_taps(%x: tensor<16x32x32x64xf32>, %w: tensor<3x3x64x512xf32>) -> tensor<16x30x30x512xf32> {
  %0 = stablehlo.tanh %x : tensor<16x32x32x64xf32>
  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x32x32x64xf32>, tensor<3x3x64x512xf32>) -> tensor<16x30x30x512xf32>
  return %1 : tensor<16x30x30x512xf32>
}
// CHECK-LABEL: func.func @halves
// CHECK-COUNT-2: "kernel.call"
func.func @halves(%x: tensor<4x14x14x64xbf16>, %m: tensor<64xbf16>, %r: tensor<64xbf16>, %w: tensor<3x3x64x64xbf16>) -> tensor<4x12x12x64xbf16> {
  %mb = stablehlo.broadcast_in_dim %m, dims = [3] : (tensor<64xbf16>) -> tensor<4x14x14x64xbf16>
  %rb = stablehlo.broadcast_in_dim %r, dims = [3] : (tensor<64xbf16>) -> tensor<4x14x14x64xbf16>
  %0 = stablehlo.subtract %x, %mb : tensor<4x14x14x64xbf16>
  %1 = stablehlo.multiply %0, %rb : tensor<4x14x14x64xbf16>
  %2 = stablehlo.add %1, %mb : tensor<4x14x14x64xbf16>
  %3 = stablehlo.convolution(%2, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x14x14x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<4x12x12x64xbf16>
  return %3 : tensor<4x12x12x64xbf16>
}

// What is made of sums along a dimension in the middle is made beside them.
// CHECK-LABEL: func.func @behind_middle_sums
// CHECK-COUNT-1: "kernel.call"
// CHECK-NOT: "kernel.call"
// CPU-LABEL: func.func @behind_middle_sums
// CPU-COUNT-1: "kernel.call"
// CPU-NOT: "kernel.call"
func.func @behind_middle_sums(%x: tensor<9x8x40xf32>, %w: tensor<9x40xf32>) -> tensor<9x40xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<9x8x40xf32>, tensor<f32>) -> tensor<9x40xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<9x40xf32>
  return %1 : tensor<9x40xf32>
}
