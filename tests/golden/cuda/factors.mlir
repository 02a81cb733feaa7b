// What is cheap before a product is made as its tiles bring their operands, on a GPU, where that costs less than to write and to read it: casts, scales, activations, slices, a softmax from its scores, for one operand or both,
// along k and across it, with ragged edges, batches and views in between; of f32, of halves on tensor cores, of f32 in tf32. The bits are those of kernels of their own, with Echo on and off. What is dear and read by many tiles, or read across memory, has its own.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-4 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=8e-3 --atol=8e-3 --outputs=%t/tf32.npz
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --tf32 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; f, a = (json.load(open('%t/%%s.json' %% n)) for n in ('kernels', 'alone')); k = [x for x in f['kernels'] if x['launches']]; assert sorted(x['kind'] for x in k) == ['contraction'] * 9 + ['map', 'row_reduce', 'transpose'], k; assert all(x['bank_conflicts'] == 0 for x in k), k; assert f['planned_arena_bytes'] * 4 < a['planned_arena_bytes'] * 3, (f['planned_arena_bytes'], a['planned_arena_bytes'])"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// Neighbours that are made side by side are read and stored so.
// CHECK:     ld.global{{(.nc)?}}.v4.f32
// CHECK:     st.shared.v4.b32
func.func @main(%a: tensor<64x96xf32>, %b: tensor<96x40xf32>, %s: tensor<2x64x48xf32>, %v: tensor<2x48x32xf32>, %w: tensor<64x72xf32>, %g: tensor<72x56xbf16>, %h: tensor<48x33xf16>, %i: tensor<1xi32>, %stack: tensor<3x96x40xf32>, %bias: tensor<96xf32>, %wide: tensor<64x64xf32>, %many: tensor<64x256xf32>) -> (tensor<64x40xf32>, tensor<2x64x32xf32>, tensor<64x56xbf16>, tensor<33x33xf16>, tensor<64x40xf32>, tensor<40x40xf32>, tensor<72x96xf32>, tensor<64x256xf32>, tensor<96x40xf32>, tensor<64x64xf32>) {
  // Both operands of f32, the left one along k, with edges.
  %half = stablehlo.constant dense<0.5> : tensor<64x96xf32>
  %0 = stablehlo.multiply %a, %half : tensor<64x96xf32>
  %bb = stablehlo.broadcast_in_dim %bias, dims = [0] : (tensor<96xf32>) -> tensor<96x40xf32>
  %1 = stablehlo.add %b, %bb : tensor<96x40xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<96x40xf32>
  %2 = stablehlo.maximum %1, %zeros : tensor<96x40xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x40xf32>) -> tensor<64x40xf32>
  // A softmax: its sums stay, it does not.
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x64x48xf32>, tensor<f32>) -> tensor<2x64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x48xf32>
  %d = stablehlo.subtract %s, %mb : tensor<2x64x48xf32>
  %e = stablehlo.exponential %d : tensor<2x64x48xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x64x48xf32>, tensor<f32>) -> tensor<2x64xf32>
  %sb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x48xf32>
  %p = stablehlo.divide %e, %sb : tensor<2x64x48xf32>
  %4 = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x64x48xf32>, tensor<2x48x32xf32>) -> tensor<2x64x32xf32>
  // Casts to halves: eight at once along k; one at once.
  %wh = stablehlo.convert %w : (tensor<64x72xf32>) -> tensor<64x72xbf16>
  %5 = stablehlo.dot_general %wh, %g, contracting_dims = [1] x [0] : (tensor<64x72xbf16>, tensor<72x56xbf16>) -> tensor<64x56xbf16>
  %hn = stablehlo.negate %h : tensor<48x33xf16>
  %6 = stablehlo.dot_general %hn, %h, contracting_dims = [0] x [0] : (tensor<48x33xf16>, tensor<48x33xf16>) -> tensor<33x33xf16>
  // The slice of a stack, behind a view.
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %at = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>
  %7 = stablehlo.dynamic_slice %stack, %at, %c0, %c0, sizes = [1, 96, 40] : (tensor<3x96x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x96x40xf32>
  %8 = stablehlo.reshape %7 : (tensor<1x96x40xf32>) -> tensor<96x40xf32>
  %9 = stablehlo.dot_general %a, %8, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x40xf32>) -> tensor<64x40xf32>
  // One value as both operands.
  %bt = stablehlo.abs %b : tensor<96x40xf32>
  %10 = stablehlo.dot_general %bt, %bt, contracting_dims = [0] x [0] : (tensor<96x40xf32>, tensor<96x40xf32>) -> tensor<40x40xf32>
  // What is read across memory.
  %wt = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x72xf32>) -> tensor<72x64xf32>
  %wc = stablehlo.cosine %wt : tensor<72x64xf32>
  %11 = stablehlo.dot_general %wc, %a, contracting_dims = [1] x [0] : (tensor<72x64xf32>, tensor<64x96xf32>) -> tensor<72x96xf32>
  // What is dear, read by 16 tiles, and made by a kernel that is there anyway.
  %square = stablehlo.multiply %wide, %wide : tensor<64x64xf32>
  %dear = stablehlo.tanh %square : tensor<64x64xf32>
  %12 = stablehlo.dot_general %dear, %many, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  // A product's operand that others read, too, is written.
  %13 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<96x96xf32>
  %14 = stablehlo.dot_general %13, %2, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x40xf32>) -> tensor<96x40xf32>
  return %3, %4, %5, %6, %9, %10, %11, %12, %14, %square : tensor<64x40xf32>, tensor<2x64x32xf32>, tensor<64x56xbf16>, tensor<33x33xf16>, tensor<64x40xf32>, tensor<40x40xf32>, tensor<72x96xf32>, tensor<64x256xf32>, tensor<96x40xf32>, tensor<64x64xf32>
}
