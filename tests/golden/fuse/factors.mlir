// Where a target's products are loops of ours, what is cheap stands before one in its kernel, if to make it once a tile costs less than to write and to read it: a launch counts where no other kernel could have made it.
// RUN: echo-opt --pass-pipeline='builtin.module(fuse{target=sm_90})' %s | FileCheck %s
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

// Dear, and read by 64 tiles; a convolution's operand, which each tap reads.
// CHECK-LABEL: func.func @dear
// CHECK-COUNT-2: "kernel.call"
func.func @dear(%x: tensor<4096x512xf32>, %w: tensor<512x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = stablehlo.tanh %x : tensor<4096x512xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<4096x512xf32>, tensor<512x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
// CHECK-LABEL: func.func @taps
// CHECK-COUNT-2: "kernel.call"
func.func @taps(%x: tensor<2x9x9x8xf32>, %w: tensor<3x3x8x12xf32>) -> tensor<2x7x7x12xf32> {
  %0 = stablehlo.negate %x : tensor<2x9x9x8xf32>
  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x8xf32>, tensor<3x3x8x12xf32>) -> tensor<2x7x7x12xf32>
  return %1 : tensor<2x7x7x12xf32>
}
