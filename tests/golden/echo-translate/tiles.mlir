// A tile of 7 x 2 sums of 16 lanes goes in parts that the processor's registers hold (4 x 1 and 3 x 1 of AVX's 16, 2 x 1 and one of SSE's), each a
// nest of its own, with the same bits; AVX-512's 32 hold it whole. So do they 12 x 2, which AVX's take by 6 x 1.
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v4 %s -o %t.v4.ll && awk -f %S/Inputs/carried.awk %t.v4.ll | FileCheck %s --check-prefix=V4
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %s -o %t.v3.ll && awk -f %S/Inputs/carried.awk %t.v3.ll | FileCheck %s --check-prefix=V3
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64 %s -o %t.v1.ll && awk -f %S/Inputs/carried.awk %t.v1.ll | FileCheck %s --check-prefix=V1
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 --features=+avx512f %s | cmp - %t.v4.ll

// The same numbers where the parts are others.
// RUN: echo-run %s --no-cache --quiet --outputs=%t.want.npz
// RUN: echo-translate --emit=bundle --cpu=x86-64 %s -o %t.bundle && echo-run-bundle %t.bundle --quiet --expect=%t.want.npz --rtol=0 --atol=0

// What is no tile stays whole: another number of stores, none, more than can be.
// RUN: echo-opt --to=loops --mlir-print-op-generic %s -o %t.mlir && FileCheck %s --check-prefix=LOOPS < %t.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.mlir | cmp - %t.v3.ll
// RUN: sed 's/kernel.tile = array<i64: [^>]*>/kernel.tile = array<i64: 13, 1>/' %t.mlir > %t.other.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.other.mlir | cmp - %t.v4.ll
// RUN: sed 's/kernel.tile = array<i64: [^>]*>/kernel.tile = array<i64: 9223372036854775807, 4>/' %t.mlir > %t.other.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.other.mlir | cmp - %t.v4.ll
// RUN: sed 's/kernel.tile = array<i64: [^>]*>/kernel.tile = array<i64: 0, -2>/' %t.mlir > %t.other.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.other.mlir | cmp - %t.v4.ll
// RUN: sed 's/kernel.tile = array<i64: [^>]*>/kernel.tile = 7 : i64/' %t.mlir > %t.other.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.other.mlir | cmp - %t.v4.ll
// RUN: sed 's/kernel.tile = array<i64: [^>]*>/kernel.tile = array<f32: 1.0, 2.0>/' %t.mlir > %t.other.mlir
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %t.other.mlir | cmp - %t.v4.ll

// LOOPS: kernel.tile = array<i64: 7, 2>
// LOOPS: kernel.tile = array<i64: 12, 2>

// V4:      @convolution_0.0(ptr{{( 14)+$}}
// V4-NEXT: @contraction_0.0(ptr{{( 24)+$}}
// V3:      @convolution_0.0(ptr{{( 4| 3)+$}}
// V3-NEXT: @contraction_0.0(ptr{{( 6)+$}}
// V1:      @convolution_0.0(ptr{{( 2| 1)+$}}
// V1-NEXT: @contraction_0.0(ptr{{( 2)+$}}
func.func @main(%x: tensor<2x28x28x4xf32>, %k: tensor<3x3x4x32xf32>, %a: tensor<12x128xf32>, %b: tensor<128x64xf32>) -> (tensor<2x28x28x32xf32>, tensor<12x64xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x28x28x4xf32>, tensor<3x3x4x32xf32>) -> tensor<2x28x28x32xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<12x128xf32>, tensor<128x64xf32>) -> tensor<12x64xf32>
  return %0, %1 : tensor<2x28x28x32xf32>, tensor<12x64xf32>
}
