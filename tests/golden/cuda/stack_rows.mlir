// Gradients of weights of one and of two images in parts along the rows: halos are read where they lie, so that no array holds them; f32, bf16 on tensor cores, and f32 in tf32. The bits are the same with Echo on and off, on both GPUs and where each op is a kernel.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=2e-3 --outputs=%t/gpu.npz --json=%t/off.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=8e-3 --atol=1e-1
// RUN: python3 -c "import json; a, b, c = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on', 'kernels')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] >= b['planned_peak_bytes'] == b['measured_peak_bytes']; k = [x for x in c['kernels'] if x['launches']]; assert sorted(x['kind'] for x in k for i in range(x['launches'])) == ['convolution'] * 4 + ['reduce'] * 4, k; assert all(x['bank_conflicts'] == 0 and not x['spill_bytes'] for x in k if x['kind'] == 'convolution'), k"
func.func @main(%x0: tensor<1x64x32x4xf32>, %y0: tensor<1x64x32x4xf32>, %x1: tensor<1x66x34x4xf32>, %y1: tensor<1x64x32x4xf32>, %x2: tensor<1x127x63x2xf32>, %y2: tensor<1x64x32x4xf32>, %x3: tensor<2x4x48x32xbf16>, %y3: tensor<2x8x48x32xbf16>) -> (tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x2x4xf32>, tensor<3x3x4x8xbf16>) {
  %0 = stablehlo.convolution(%x0, %y0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x32x4xf32>, tensor<1x64x32x4xf32>) -> tensor<3x3x4x4xf32>
  %1 = stablehlo.convolution(%x1, %y1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x66x34x4xf32>, tensor<1x64x32x4xf32>) -> tensor<3x3x4x4xf32>
  %2 = stablehlo.convolution(%x2, %y2) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x127x63x2xf32>, tensor<1x64x32x4xf32>) -> tensor<3x3x2x4xf32>
  %3 = stablehlo.convolution(%x3, %y3) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x48x32xbf16>, tensor<2x8x48x32xbf16>) -> tensor<3x3x4x8xbf16>
  return %0, %1, %2, %3 : tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x2x4xf32>, tensor<3x3x4x8xbf16>
}
