// Times are predicted for the target, unless a device model is named: kernels fuse as they pay there, and as the target's can be made.
// RUN: echo-translate %s --emit=trace -o %t.cpu
// RUN: echo-translate %s --emit=trace --target=cpu -o %t.same && cmp %t.cpu %t.same
// RUN: echo-translate %s --emit=trace --target=sm_80 -o %t.80 && not cmp -s %t.cpu %t.80
// RUN: echo-translate %s --emit=trace --target=sm_80 --device-model=gpu-a100-40g -o %t.a100 && cmp %t.80 %t.a100
// RUN: echo-translate %s --emit=trace --target=sm_90 -o %t.90 && not cmp -s %t.80 %t.90
// RUN: echo-translate %s --emit=trace --target=cpu --device-model=cpu-2core-avx512 -o %t.named && cmp %t.cpu %t.named
// RUN: echo-opt %s --to=kernels --target=sm_80 -o %t.k80
// RUN: echo-opt %s --to=kernels --target=sm_80 --device-model=gpu-a100-40g -o %t.ka100 && cmp %t.k80 %t.ka100
// RUN: echo-run %s --plan-only --kernels --target=sm_80 | FileCheck %s
// RUN: not echo-run %s --target=sm_80 2>&1 | FileCheck %s --check-prefix=HERE
// RUN: not echo-run %s --plan-only --target=sm_999 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: kernel
// HERE: error: --target says what a step is planned for, nothing runs there: ask for --plan-only
// NONE: echo-run: error: --target: 'sm_999' is no target: cpu, sm_75
func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.tanh %0 : tensor<512x512xf32>
  return %1 : tensor<512x512xf32>
}
