// Reductions of a product's rows stand in its kernel on a GPU, with what is made of them: sums, maxima, a softmax of scores, what is written beside them; of f32, of halves on tensor cores, of f32 in tf32; rows of one tile and of
// several, of partials that a warp or several of its turns have, or one thread; ragged edges, batches. The bits are those of kernels of their own, with Echo on and off.
// Under sanitizers it takes most of a minute, nearly all of it the emulated device, which shorter tests of it go through as well.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-3 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=8e-3 --atol=8e-3 --outputs=%t/tf32.npz
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --tf32 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=loops --target=sm_75 -o %t/old.mlir
// RUN: python3 -c "import json; f, a = (json.load(open('%t/%%s.json' %% n))['kernels'] for n in ('kernels', 'alone')); f, a = ([x for x in k if x['launches']] for k in (f, a)); assert sorted(x['kind'] for x in f) == ['contraction'] * 6 + ['map', 'row_reduce'], f; assert len(a) == 13, a; assert sum(x['roofline_ns'] for x in f) < sum(x['roofline_ns'] for x in a); assert all(x['bank_conflicts'] == 0 for x in f if x['tensor_flops'] == 0 and x['kernel'] != 'contraction_3'), f"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// CHECK-LABEL: .entry contraction_0__0(
// CHECK:       fma.rn
// CHECK:       st.shared.v4.f32
// CHECK:       bar.sync
// CHECK:       shfl.sync.down
// CHECK:       st.global.f32
func.func @main(%q: tensor<4x3x176x24xf32>, %k: tensor<4x3x56x24xf32>, %a: tensor<2080x16xf32>, %b: tensor<16x300xf32>, %x: tensor<4100x36xbf16>, %y: tensor<36x70xbf16>, %r: tensor<4100x70xbf16>, %c: tensor<3x20x33xf32>, %d: tensor<3x33x12xf32>, %bias: tensor<300xf32>, %f: tensor<2060x24xf64>, %g: tensor<24x33xf64>, %e: tensor<2060x33xf64>)
    -> (tensor<1x4x3x176x56xf32>, tensor<2080xf32>, tensor<2080x300xf32>, tensor<4100x70xf32>, tensor<4100xf32>, tensor<3x20xf32>, tensor<3x20x12xf32>, tensor<2060xf64>, tensor<2060x33xf64>, tensor<4100xf32>, tensor<4100xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // A softmax of scores, none of which is anywhere; behind a view of them, as JAX writes it.
  %scale = stablehlo.constant dense<0.125> : tensor<4x3x176x56xf32>
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<4x3x176x24xf32>, tensor<4x3x56x24xf32>) -> tensor<4x3x176x56xf32>
  %s1 = stablehlo.multiply %s0, %scale : tensor<4x3x176x56xf32>
  %sm = stablehlo.reduce(%s1 init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<4x3x176x56xf32>, tensor<f32>) -> tensor<4x3x176xf32>
  %sv = stablehlo.reshape %s1 : (tensor<4x3x176x56xf32>) -> tensor<1x4x3x176x56xf32>
  %smb = stablehlo.broadcast_in_dim %sm, dims = [1, 2, 3] : (tensor<4x3x176xf32>) -> tensor<1x4x3x176x56xf32>
  %sd = stablehlo.subtract %sv, %smb : tensor<1x4x3x176x56xf32>
  %se = stablehlo.exponential %sd : tensor<1x4x3x176x56xf32>
  %ss = stablehlo.reduce(%se init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<1x4x3x176x56xf32>, tensor<f32>) -> tensor<1x4x3x176xf32>
  %ssb = stablehlo.broadcast_in_dim %ss, dims = [0, 1, 2, 3] : (tensor<1x4x3x176xf32>) -> tensor<1x4x3x176x56xf32>
  %p = stablehlo.divide %se, %ssb : tensor<1x4x3x176x56xf32>
  // Rows of three tiles, whose sums a warp has 64 partials of; the elements are written, too.
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2080x16xf32>, tensor<16x300xf32>) -> tensor<2080x300xf32>
  %bb = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<300xf32>) -> tensor<2080x300xf32>
  %1 = stablehlo.add %0, %bb : tensor<2080x300xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2080x300xf32>, tensor<f32>) -> tensor<2080xf32>
  // Halves: rounded to the type of the product first; a residual, a log softmax.
  %xy = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4100x36xbf16>, tensor<36x70xbf16>) -> tensor<4100x70xbf16>
  %xr = stablehlo.add %xy, %r : tensor<4100x70xbf16>
  %xf = stablehlo.convert %xr : (tensor<4100x70xbf16>) -> tensor<4100x70xf32>
  %m = stablehlo.reduce(%xf init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4100x70xf32>, tensor<f32>) -> tensor<4100xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4100xf32>) -> tensor<4100x70xf32>
  %xs = stablehlo.subtract %xf, %mb : tensor<4100x70xf32>
  %xe = stablehlo.exponential %xs : tensor<4100x70xf32>
  %l = stablehlo.reduce(%xe init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4100x70xf32>, tensor<f32>) -> tensor<4100xf32>
  %lg = stablehlo.log %l : tensor<4100xf32>
  %lb = stablehlo.broadcast_in_dim %lg, dims = [0] : (tensor<4100xf32>) -> tensor<4100x70xf32>
  %out = stablehlo.subtract %xs, %lb : tensor<4100x70xf32>
  // Few columns, which one thread adds; of f64.
  %cd = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x20x33xf32>, tensor<3x33x12xf32>) -> tensor<3x20x12xf32>
  %t = stablehlo.tanh %cd : tensor<3x20x12xf32>
  %ts = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<3x20x12xf32>, tensor<f32>) -> tensor<3x20xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %fg = stablehlo.dot_general %f, %g, contracting_dims = [1] x [0] : (tensor<2060x24xf64>, tensor<24x33xf64>) -> tensor<2060x33xf64>
  %fe = stablehlo.multiply %fg, %e : tensor<2060x33xf64>
  %fp = stablehlo.reduce(%fe init: %one) applies stablehlo.multiply across dimensions = [1] : (tensor<2060x33xf64>, tensor<f64>) -> tensor<2060xf64>
  // A maximum with its place has a kernel of its own.
  %places = stablehlo.iota dim = 1 : tensor<4100x70xi32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %xz = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4100x36xbf16>, tensor<36x70xbf16>) -> tensor<4100x70xf32>
  %best:2 = stablehlo.reduce(%xz init: %low), (%places init: %none) across dimensions = [1] : (tensor<4100x70xf32>, tensor<4100x70xi32>, tensor<f32>, tensor<i32>) -> (tensor<4100xf32>, tensor<4100xi32>)
   reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %ge = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v1 = stablehlo.select %ge, %v, %w : tensor<i1>, tensor<f32>
    %i1 = stablehlo.select %ge, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %v1, %i1 : tensor<f32>, tensor<i32>
  }
  return %p, %2, %1, %out, %lg, %ts, %t, %fp, %fg, %best#0, %best#1 : tensor<1x4x3x176x56xf32>, tensor<2080xf32>, tensor<2080x300xf32>, tensor<4100x70xf32>, tensor<4100xf32>, tensor<3x20xf32>, tensor<3x20x12xf32>, tensor<2060xf64>, tensor<2060x33xf64>, tensor<4100xf32>, tensor<4100xi32>
}
