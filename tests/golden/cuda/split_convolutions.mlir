// Gradients of weights in parts that fill more of a chip, of f32, of bf16 on tensor cores and of f32 in tf32; the parts are read where they lie, so that no kernel moves them. And what is cheap before a convolution, in its kernel: the bits
// are those of a kernel of its own, with Echo on and off.
// Under sanitizers it takes most of a minute, nearly all of it the emulated device, which shorter tests of it go through as well.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-3 --outputs=%t/gpu.npz --json=%t/off.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=8e-3 --atol=1e-2
// RUN: python3 -c "import json; a, b, c = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on', 'kernels')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] >= b['planned_peak_bytes'] == b['measured_peak_bytes']; k = [x for x in c['kernels'] if x['launches']]; assert sorted(x['kind'] for x in k) == ['convolution'] * 4 + ['reduce'] * 3, k; assert all(x['blocks'] >= 8 and x['bank_conflicts'] == 0 and not x['spill_bytes'] for x in k if x['kind'] == 'convolution'), k"
// Where cuDNN may make them they stay whole.
// RUN: echo-opt %s --to=step --target=sm_80 | FileCheck %s --check-prefix=CUT
// CUT: feature_group_count = {{[2-9]|[1-9][0-9]+}} : i64
// RUN: echo-opt %s --to=step --target=sm_80 --cudnn | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: feature_group_count = {{[2-9]|[1-9][0-9]+}} : i64
func.func @main(%x: tensor<8x16x16x24xf32>, %dy: tensor<8x16x16x40xf32>, %h: tensor<6x24x16x16xbf16>, %dh: tensor<6x16x16x16xbf16>, %p: tensor<8x17x16x12xf32>, %dp: tensor<8x9x16x20xf32>, %c: tensor<2x7x9x12xf32>, %mean: tensor<12xf32>, %scale: tensor<12xf32>, %w: tensor<3x2x12x8xf32>, %m: tensor<3x3x24x40xf32>) -> (tensor<3x3x24x40xf32>, tensor<3x3x24x16xbf16>, tensor<3x2x12x20xf32>, tensor<2x7x9x8xf32>) {
  // A step of the optimizer stands behind the sum of the parts.
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x16x16x24xf32>, tensor<8x16x16x40xf32>) -> tensor<3x3x24x40xf32>
  %rate = stablehlo.constant dense<0.015625> : tensor<3x3x24x40xf32>
  %1 = stablehlo.multiply %0, %rate : tensor<3x3x24x40xf32>
  %2 = stablehlo.subtract %m, %1 : tensor<3x3x24x40xf32>
  // Of halves, the batch between other dimensions.
  %3 = stablehlo.convolution(%h, %dh) dim_numbers = [f, b, 0, 1]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x24x16x16xbf16>, tensor<6x16x16x16xbf16>) -> tensor<3x3x24x16xbf16>
  // Strides forward are dilations here.
  %4 = stablehlo.convolution(%p, %dp) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [0, 1]], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x17x16x12xf32>, tensor<8x9x16x20xf32>) -> tensor<3x2x12x20xf32>
  // Cheap maps: what is padding stays zero, whatever the maps make of it.
  %mb = stablehlo.broadcast_in_dim %mean, dims = [3] : (tensor<12xf32>) -> tensor<2x7x9x12xf32>
  %sb = stablehlo.broadcast_in_dim %scale, dims = [3] : (tensor<12xf32>) -> tensor<2x7x9x12xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2x7x9x12xf32>
  %5 = stablehlo.subtract %c, %mb : tensor<2x7x9x12xf32>
  %6 = stablehlo.multiply %5, %sb : tensor<2x7x9x12xf32>
  %7 = stablehlo.maximum %6, %one : tensor<2x7x9x12xf32>
  %8 = stablehlo.convolution(%7, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x9x12xf32>, tensor<3x2x12x8xf32>) -> tensor<2x7x9x8xf32>
  return %2, %3, %4, %8 : tensor<3x3x24x40xf32>, tensor<3x3x24x16xbf16>, tensor<3x2x12x20xf32>, tensor<2x7x9x8xf32>
}
