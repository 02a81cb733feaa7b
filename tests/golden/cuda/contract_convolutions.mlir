// Convolutions that are products of matrices, of f32 and of bf16: forward and both gradients, with strides, and what stands around them. Results are the interpreter's, with the same bits with Echo on and off and where each op is a kernel.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-3 --outputs=%t/gpu.npz --json=%t/off.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; a, b, c = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on', 'kernels')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] >= b['planned_peak_bytes'] == b['measured_peak_bytes']; k = [x for x in c['kernels'] if x['launches']]; assert sum(x['launches'] for x in k if x['kind'] == 'contraction') == 8 and not any(x['kind'] == 'convolution' for x in k), k; assert all(x['bank_conflicts'] == 0 and not x['spill_bytes'] for x in k if x['kind'] == 'contraction'), k"
func.func @main(%x: tensor<2x10x12x24xf32>, %w: tensor<1x1x24x40xf32>, %bias: tensor<40xf32>, %dy: tensor<2x10x12x40xf32>, %ds: tensor<2x5x6x40xf32>, %other: tensor<2x10x12x24xf32>, %h: tensor<2x10x12x32xbf16>, %v: tensor<1x1x32x48xbf16>, %dh: tensor<2x10x12x48xbf16>) -> (tensor<2x10x12x40xf32>, tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>, tensor<2x5x6x40xf32>, tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>, tensor<2x10x12x48xbf16>, tensor<1x1x32x48xbf16>) {
  // A bias and an activation behind the product.
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>) -> tensor<2x10x12x40xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [3] : (tensor<40xf32>) -> tensor<2x10x12x40xf32>
  %1 = stablehlo.add %0, %b : tensor<2x10x12x40xf32>
  %2 = stablehlo.tanh %1 : tensor<2x10x12x40xf32>
  %3 = stablehlo.convolution(%dy, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x40xf32>, tensor<1x1x24x40xf32>) -> tensor<2x10x12x24xf32>
  %4 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x24xf32>, tensor<2x10x12x40xf32>) -> tensor<1x1x24x40xf32>
  // Strides; the gradient of data meets that of another reader.
  %5 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>) -> tensor<2x5x6x40xf32>
  %6 = stablehlo.convolution(%ds, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x40xf32>, tensor<1x1x24x40xf32>) -> tensor<2x10x12x24xf32>
  %7 = stablehlo.add %6, %other : tensor<2x10x12x24xf32>
  %8 = stablehlo.convolution(%x, %ds) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, -1], [0, -1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x24xf32>, tensor<2x5x6x40xf32>) -> tensor<1x1x24x40xf32>
  %9 = stablehlo.convolution(%h, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x32xbf16>, tensor<1x1x32x48xbf16>) -> tensor<2x10x12x48xbf16>
  %10 = stablehlo.convolution(%h, %dh) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x12x32xbf16>, tensor<2x10x12x48xbf16>) -> tensor<1x1x32x48xbf16>
  return %2, %3, %4, %5, %7, %8, %9, %10 : tensor<2x10x12x40xf32>, tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>, tensor<2x5x6x40xf32>, tensor<2x10x12x24xf32>, tensor<1x1x24x40xf32>, tensor<2x10x12x48xbf16>, tensor<1x1x32x48xbf16>
}
