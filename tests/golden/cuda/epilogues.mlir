// What maps the elements of a product stands in its kernel on a GPU: biases, activations, residuals, the update that a gradient is for, views in between; of f32, of halves
// on tensor cores, of convolutions, with ragged edges. The bits are those of kernels of their own, with Echo on and off, and what is updated stays in its place.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-4 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; f, a = ([x for x in json.load(open('%t/%%s.json' %% n))['kernels'] if x['launches']] for n in ('kernels', 'alone')); assert sorted(x['kind'] for x in f) == ['contraction'] * 6 + ['convolution'], f; assert len(a) == 12, a; assert all(x['bank_conflicts'] == 0 for x in f); assert all(sum(x[c] * x['launches'] for x in f) < b * sum(x[c] * x['launches'] for x in a) for c, b in (('bytes', 0.95), ('roofline_ns', 0.7)))"
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x128xf32>, %bias: tensor<128xf32>, %res: tensor<64x128xf32>, %m: tensor<128x33xf32> {tf.aliasing_output = 3 : i32}, %h: tensor<48x64xbf16>, %y: tensor<64x33xf32>, %g: tensor<64x40xbf16>, %hb: tensor<40xbf16>, %o: tensor<64x31xbf16>, %image: tensor<2x9x9x8xf32>, %filter: tensor<3x3x8x12xf32>, %fb: tensor<12xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<4x16x128xf32>, tensor<128x33xf32>, tensor<48x40xbf16>, tensor<48x31xf32>, tensor<2x9x9x12xf32>) {
  // A bias and an activation; the value before it is written too, since the gradient asks for it.
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x128xf32>) -> tensor<64x128xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<128xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.add %0, %b : tensor<64x128xf32>
  %2 = stablehlo.tanh %1 : tensor<64x128xf32>
  %3 = stablehlo.add %2, %res : tensor<64x128xf32>
  // Its result under another shape.
  %4 = stablehlo.dot_general %res, %w, contracting_dims = [1] x [1] : (tensor<64x128xf32>, tensor<96x128xf32>) -> tensor<64x96xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x128xf32>) -> tensor<64x128xf32>
  %6 = stablehlo.reshape %5 : (tensor<64x128xf32>) -> tensor<4x16x128xf32>
  %7 = stablehlo.negate %6 : tensor<4x16x128xf32>
  // The update that a gradient is for, with edges both ways.
  %h32 = stablehlo.constant dense<0.5> : tensor<128x33xf32>
  %8 = stablehlo.dot_general %2, %y, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x33xf32>) -> tensor<128x33xf32>
  %9 = stablehlo.multiply %8, %h32 : tensor<128x33xf32>
  %10 = stablehlo.subtract %m, %9 : tensor<128x33xf32>
  // Halves: the sum is rounded to the type of the product before what follows.
  %11 = stablehlo.dot_general %h, %g, contracting_dims = [1] x [0] : (tensor<48x64xbf16>, tensor<64x40xbf16>) -> tensor<48x40xbf16>
  %hbb = stablehlo.broadcast_in_dim %hb, dims = [1] : (tensor<40xbf16>) -> tensor<48x40xbf16>
  %12 = stablehlo.add %11, %hbb : tensor<48x40xbf16>
  %13 = stablehlo.logistic %12 : tensor<48x40xbf16>
  %14 = stablehlo.dot_general %h, %o, contracting_dims = [1] x [0] : (tensor<48x64xbf16>, tensor<64x31xbf16>) -> tensor<48x31xbf16>
  %15 = stablehlo.convert %14 : (tensor<48x31xbf16>) -> tensor<48x31xf32>
  // A convolution's.
  %16 = stablehlo.convolution(%image, %filter) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x8xf32>, tensor<3x3x8x12xf32>) -> tensor<2x9x9x12xf32>
  %17 = stablehlo.broadcast_in_dim %fb, dims = [3] : (tensor<12xf32>) -> tensor<2x9x9x12xf32>
  %18 = stablehlo.add %16, %17 : tensor<2x9x9x12xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x9x9x12xf32>
  %19 = stablehlo.maximum %18, %zero : tensor<2x9x9x12xf32>
  return %1, %3, %7, %10, %13, %15, %19 : tensor<64x128xf32>, tensor<64x128xf32>, tensor<4x16x128xf32>, tensor<128x33xf32>, tensor<48x40xbf16>, tensor<48x31xf32>, tensor<2x9x9x12xf32>
}
