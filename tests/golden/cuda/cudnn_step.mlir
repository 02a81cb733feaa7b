// AddressSanitizer has the same code in cudnn.mlir.
// UNSUPPORTED: asan
// A convolutional network's training step whose convolutions cuDNN makes: Echo on and off, graphs and single launches, all the same bits, also of what is computed again. No convolution has anything else
// in its kernel, and none is cut in parts: which of the two makes it is a matter of its shape alone. Products are ours still, with what maps their elements, and may be cuBLASLt's beside it.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --outputs=%t/off.npz --json=%t/off.json --quiet
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --echo=budget=min --quiet --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] and b['planned_peak_bytes'] == b['measured_peak_bytes'] < a['planned_peak_bytes'] and a['losses'] == b['losses'] and a['library'] == b['library'] == 'cuDNN 9.99.0 for 8 of 8 convolutions' and b['echo']['values_recomputed']"
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --echo=budget=min,swap=on --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --echo=overhead=5%% --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --kernels --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cudnn --no-cache --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU_CUDNN=slow echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=interpreter --quiet --steps=3 --expect=%t/off.npz --rtol=1e-4 --atol=1e-6
// RUN: not echo-run %s --device=cuda --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --plan-only --target=sm_80 --cudnn --quiet --json=%t/plan.json
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'plan')); assert a['planned_peak_bytes'] == b['planned_peak_bytes']"
// RUN: echo-run %s --device=cuda --cudnn --cublaslt --cache-dir=%t/cache --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/both.json
// RUN: FileCheck %s --check-prefix=BOTH < %t/both.json
// BOTH: "library": "cuDNN 9.99.0 for 8 of 8 convolutions"

// A window that is turned round in front of a convolution is read from its end instead.
// RUN: echo-opt %s --to=step --target=sm_80 --cudnn | FileCheck %s --check-prefix=STEP
// STEP-NOT: stablehlo.reverse
// STEP: window = {stride = [1, 1], pad = {{.*}}, lhs_dilate = [2, 2], reverse = [true, true]}

// A bundle takes our kernels, which need no library.
// RUN: echo-opt %s --to=loops --target=sm_80 --cudnn -o %t/loops.mlir
// RUN: echo-translate %t/loops.mlir --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --quiet --steps=3 --outputs=%t/bundle.npz
// RUN: env ECHO_GPU_CUDNN=none echo-run %s --device=cuda --cudnn --no-cache --steps=3 --quiet --expect=%t/bundle.npz --rtol=0 --atol=0

func.func @main(%arg0: tensor<3x3x3x8xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<3x3x8x8xf32> {tf.aliasing_output = 2 : i32}, %arg2: tensor<3x3x8x4xf32> {tf.aliasing_output = 3 : i32}, %arg3: tensor<2x12x12x3xf32>, %arg4: tensor<2x4xf32>) -> (tensor<f32>, tensor<3x3x3x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x4xf32>) {
  %0 = stablehlo.convolution(%arg3, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x12x12x8xf32>
  %1 = stablehlo.sine %0 : tensor<2x12x12x8xf32>
  %2 = stablehlo.cosine %0 : tensor<2x12x12x8xf32>
  %3 = stablehlo.convolution(%1, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x12x12x8xf32>
  %4 = stablehlo.sine %3 : tensor<2x12x12x8xf32>
  %5 = stablehlo.cosine %3 : tensor<2x12x12x8xf32>
  %6 = stablehlo.convolution(%4, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x12x12x8xf32>
  %7 = stablehlo.sine %6 : tensor<2x12x12x8xf32>
  %8 = stablehlo.cosine %6 : tensor<2x12x12x8xf32>
  %9 = stablehlo.convolution(%7, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<3x3x8x4xf32>) -> tensor<2x6x6x4xf32>
  %10 = stablehlo.sine %9 : tensor<2x6x6x4xf32>
  %11 = stablehlo.cosine %9 : tensor<2x6x6x4xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x6x6x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %13 = stablehlo.subtract %12, %arg4 : tensor<2x4xf32>
  %14 = stablehlo.multiply %13, %13 : tensor<2x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x4xf32>
  %15 = stablehlo.multiply %13, %cst_0 : tensor<2x4xf32>
  %16 = stablehlo.reduce(%14 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %17 = stablehlo.divide %16, %cst_1 : tensor<f32>
  %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<2x4xf32>
  %18 = stablehlo.multiply %15, %cst_2 : tensor<2x4xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x6x6x4xf32>
  %20 = stablehlo.multiply %19, %11 : tensor<2x6x6x4xf32>
  %21 = stablehlo.convolution(%7, %20) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<2x6x6x4xf32>) -> tensor<3x3x8x4xf32>
  %22 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x8x4xf32>
  %23 = stablehlo.convolution(%20, %22) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x4xf32>, tensor<3x3x8x4xf32>) -> tensor<2x12x12x8xf32>
  %24 = stablehlo.multiply %23, %8 : tensor<2x12x12x8xf32>
  %25 = stablehlo.convolution(%4, %24) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<2x12x12x8xf32>) -> tensor<3x3x8x8xf32>
  %26 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x8x8xf32>
  %27 = stablehlo.convolution(%24, %26) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x12x12x8xf32>
  %28 = stablehlo.multiply %27, %5 : tensor<2x12x12x8xf32>
  %29 = stablehlo.convolution(%1, %28) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<2x12x12x8xf32>) -> tensor<3x3x8x8xf32>
  %30 = stablehlo.add %25, %29 : tensor<3x3x8x8xf32>
  %31 = stablehlo.convolution(%28, %26) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x12x12x8xf32>
  %32 = stablehlo.multiply %31, %2 : tensor<2x12x12x8xf32>
  %33 = stablehlo.convolution(%arg3, %32) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x3xf32>, tensor<2x12x12x8xf32>) -> tensor<3x3x3x8xf32>
  %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<3x3x3x8xf32>
  %34 = stablehlo.multiply %33, %cst_3 : tensor<3x3x3x8xf32>
  %35 = stablehlo.subtract %arg0, %34 : tensor<3x3x3x8xf32>
  %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<3x3x8x8xf32>
  %36 = stablehlo.multiply %30, %cst_4 : tensor<3x3x8x8xf32>
  %37 = stablehlo.subtract %arg1, %36 : tensor<3x3x8x8xf32>
  %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<3x3x8x4xf32>
  %38 = stablehlo.multiply %21, %cst_5 : tensor<3x3x8x4xf32>
  %39 = stablehlo.subtract %arg2, %38 : tensor<3x3x8x4xf32>
  return %17, %35, %37, %39 : tensor<f32>, tensor<3x3x3x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x4xf32>
}
