// Convolutions by cuDNN, the emulated one, where it is measured to be faster than our kernels: forward, gradients of inputs (reversed, dilated) and of windows (of the batch), strides, groups that lie
// side by side and such that do not, halves and their sums, doubles, one and three dimensions. What was chosen is kept on disk by device, library and shape, and stays: the same bits, even once the
// library is slow. Its engines whose sums may come out in any order, of rounded or transformed operands, or in more memory than there is to work in are faster still, and are left out.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --no-cache --outputs=%t/own.npz
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --expect=%t/want.npz --outputs=%t/fast.npz --json=%t/fast.json --kernels | FileCheck %s --check-prefix=FAST
// FAST: memory: planned peak [[PEAK:.*]] (arguments {{.*}}), measured [[PEAK]]; libraries work in 512 B
// RUN: python3 -c "import json; j = json.load(open('%t/fast.json')); assert j['library'] == 'cuDNN 9.99.0 for 13 of 13 convolutions' and j['library_bytes'] == 512 and all(k['measured_ns'] > 0 and 'sector_use' not in k for k in j['kernels']), j"
// RUN: not echo-run %s --device=cuda --quiet --no-cache --expect=%t/fast.npz --rtol=0 --atol=0
// RUN: ls %t/cache | FileCheck %s --check-prefix=FILES --implicit-check-not=convolution
// FILES-COUNT-13: convolution-{{[0-9a-f]+}}.txt
// RUN: cat %t/cache/*.txt | FileCheck %s --check-prefix=KEPT
// A choice is the operation (0: forward, 1: the gradient of an input, 2: that of a window), the engine, its knobs.
// KEPT-DAG: emulated sm_80, sm_80, cuDNN 9.99.0: 1 x 2 x 4 to 6 of f32 to f32, 9 / 1 by 3 / 1 to 5 from -1 by 2, 8 / 1 by 3 / 1 to 4 from 0 by 2, 4 288 1 32 4, 6 6 1 72 24, 6 120 1 24 6{{[[:space:]]}}library 512 0 5 2 5
// KEPT-DAG: 2 x 2 x 3 to 2 of f32 to f32, reversed, {{.*[[:space:]]}}library 512 1 5 2 5
// KEPT-DAG: 2 x 2 x 2 to 3 of f32 to f32, 7 / 1 by 4 / 2 to 3 {{.*[[:space:]]}}library 512 2 5 2 5
// KEPT-DAG: 4 x 2 x 1 to 1 of f16 to f16, {{.*[[:space:]]}}library 256 0 4{{$}}
// RUN: env ECHO_GPU_CUDNN=slow echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --quiet --expect=%t/fast.npz --rtol=0 --atol=0

// f32 that may be tf32 is what tensor cores may multiply; else they are left out.
// RUN: echo-run %s --device=cuda --cudnn --tf32 --cache-dir=%t/tf32 --quiet --expect=%t/want.npz --rtol=1e-2 --atol=1e-2
// RUN: cat %t/tf32/*.txt | FileCheck %s --check-prefix=TF32
// TF32: of f32 to f32, tf32, {{.*[[:space:]]}}library 256 {{[0-2]}} 4{{$}}

// Where ours is faster, ours does it, without a word; that is kept as well. Another device has decisions of its own, and what cannot be read is measured again.
// RUN: env ECHO_GPU_CUDNN=slow echo-run %s --device=cuda --cudnn --cache-dir=%t/slow --quiet --expect=%t/own.npz --rtol=0 --atol=0 --json=%t/slow.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SLOW < %t/slow.json
// SLOW: "library": "cuDNN 9.99.0 for 0 of 13 convolutions"
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/slow --quiet --expect=%t/own.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --cudnn --cache-dir=%t/slow --quiet --expect=%t/fast.npz --rtol=0 --atol=0
// RUN: sed -i s/^own/library/ %t/slow/*.txt
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/slow --quiet --expect=%t/fast.npz --rtol=0 --atol=0

// A choice that the library has no plan for now leaves it to ours.
// RUN: cp -r %t/cache %t/bad && sed -i 's/^library .*/library 512 0 77/' %t/bad/*.txt
// RUN: echo-run %s --device=cuda --cudnn --cache-dir=%t/bad --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: warning: cuDNN makes 0 of 13 convolutions, kernels of ours the others: cudnnBackendFinalize: CUDNN_STATUS_NOT_SUPPORTED

// Without the library, or without a plan of it, our kernels do it, and a line says so.
// RUN: env ECHO_GPU_CUDNN=none echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: cuDNN cannot be used: cudnnCreate: CUDNN_STATUS_NOT_INITIALIZED: 13 convolutions are made by kernels of ours
// RUN: env ECHO_GPU_CUDNN=old echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: warning: cuDNN 8.9.7 is too old: 9.0 is the first that is used: 13 convolutions are made by kernels of ours
// RUN: mkdir %t/broken && echo none > %t/broken/libcudnn.so.9
// RUN: env LD_LIBRARY_PATH=%t/broken:%build/gpu echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: warning: there is no cuDNN (libcudnn.so.9) on this machine: 13 convolutions are made by kernels of ours
// RUN: env ECHO_GPU_CUDNN=plan echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: warning: cuDNN makes 0 of 13 convolutions, kernels of ours the others: cudnnBackendFinalize: CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED
// RUN: env ECHO_GPU_CUDNN=workspace echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: warning: cuDNN makes 0 of 13 convolutions, kernels of ours the others: a workspace of 1073741824 bytes is more than 4194304
// RUN: env ECHO_GPU_CUDNN=execution echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=EXECUTION
// EXECUTION: warning: cuDNN makes 0 of 13 convolutions, kernels of ours the others: cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED
// RUN: env ECHO_GPU_CUDNN=execution not echo-run %s --device=cuda --cudnn --cache-dir=%t/cache --quiet 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED: error: cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED
// RUN: not echo-run %s --cudnn --quiet 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: --cudnn makes a GPU's convolutions: it needs --device=cuda, or a GPU's --target

// What is less aligned than the library wants it is copied on the way there and back.
// RUN: echo-opt %s --to=loops --target=sm_80 --cudnn | FileCheck %s --check-prefix=LOOPS
// LOOPS: kernel.convolution = {dims = array<i64: 9, 3, 9, 1, 1, 1, 1, 8, 3, 8, 1, 1, 1, 1>, factor = f32, input = array<i64: 0, 64, 4, 288, 1, 32, 4>, out = array<i64: 2, 64, 6, 432, 1, 48, 6>, result = f32, sizes = array<i64: 1, 2, 4, 6, 0, 0>, window = array<i64: 1, 64, 6, 6, 1, 72, 24>}
// RUN: echo-opt %s --to=loops --target=sm_80 --cudnn | sed -E '/kernel.convolution/s/(input|window|out) = array<i64: ([0-9]+), 64/\1 = array<i64: \2, 4/g' > %t/unaligned.mlir
// RUN: echo-run %t/unaligned.mlir --device=cuda --cache-dir=%t/cache --expect=%t/fast.npz --rtol=0 --atol=0 | FileCheck %s --check-prefix=COPIED
// COPIED: libraries work in {{[0-9.]+}} kB

func.func @main(%a: tensor<2x9x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x5x4x6xf32>, %d: tensor<2x7x8x4xf32>, %e: tensor<3x3x2x6xf32>, %f: tensor<2x4x8x6xf32>, %g: tensor<3x3x4x3xf32>, %h: tensor<2x7x8x4xf16>, %i: tensor<3x3x1x4xf16>, %j: tensor<2x9x8x4xbf16>, %k: tensor<3x3x4x6xbf16>, %l: tensor<2x4x7x8xf32>, %m: tensor<6x4x3x3xf32>, %n: tensor<2x17x4xf32>, %o: tensor<5x4x6xf32>, %p: tensor<1x5x6x7x2xf64>, %q: tensor<3x2x3x2x4xf64>) -> (tensor<2x9x8x6xf32>, tensor<2x5x4x6xf32>, tensor<3x3x4x6xf32>, tensor<2x9x8x4xf32>, tensor<2x4x8x6xf32>, tensor<3x3x2x6xf32>, tensor<2x7x8x4xf32>, tensor<2x7x8x4xf16>, tensor<2x9x8x6xbf16>, tensor<2x9x8x6xf32>, tensor<2x6x7x8xf32>, tensor<2x9x6xf32>, tensor<1x5x3x7x4xf64>) {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x9x8x6xf32>
  %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x5x4x6xf32>
  %2 = stablehlo.convolution(%a, %c) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xf32>, tensor<2x5x4x6xf32>) -> tensor<3x3x4x6xf32>
  %3 = stablehlo.convolution(%c, %b) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [2, 1]], lhs_dilate = [2, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4x6xf32>, tensor<3x3x4x6xf32>) -> tensor<2x9x8x4xf32>
  %4 = stablehlo.convolution(%d, %e) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x7x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x8x6xf32>
  %5 = stablehlo.convolution(%d, %f) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [2, 1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x7x8x4xf32>, tensor<2x4x8x6xf32>) -> tensor<3x3x2x6xf32>
  %6 = stablehlo.convolution(%f, %g) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x8x6xf32>, tensor<3x3x4x3xf32>) -> tensor<2x7x8x4xf32>
  %7 = stablehlo.convolution(%h, %i) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x7x8x4xf16>, tensor<3x3x1x4xf16>) -> tensor<2x7x8x4xf16>
  %8 = stablehlo.convolution(%j, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xbf16>, tensor<3x3x4x6xbf16>) -> tensor<2x9x8x6xbf16>
  %9 = stablehlo.convolution(%j, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x4xbf16>, tensor<3x3x4x6xbf16>) -> tensor<2x9x8x6xf32>
  %10 = stablehlo.convolution(%l, %m) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x7x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x7x8xf32>
  %11 = stablehlo.convolution(%n, %o) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x4xf32>, tensor<5x4x6xf32>) -> tensor<2x9x6xf32>
  %12 = stablehlo.convolution(%p, %q) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {stride = [1, 2, 1], pad = [[1, 1], [0, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x7x2xf64>, tensor<3x2x3x2x4xf64>) -> tensor<1x5x3x7x4xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x9x8x6xf32>, tensor<2x5x4x6xf32>, tensor<3x3x4x6xf32>, tensor<2x9x8x4xf32>, tensor<2x4x8x6xf32>, tensor<3x3x2x6xf32>, tensor<2x7x8x4xf32>, tensor<2x7x8x4xf16>, tensor<2x9x8x6xbf16>, tensor<2x9x8x6xf32>, tensor<2x6x7x8xf32>, tensor<2x9x6xf32>, tensor<1x5x3x7x4xf64>
}
