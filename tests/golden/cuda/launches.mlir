// The PTX and the list of launches are all that somebody's own program needs to run a step: replay.py does, through the driver.
// LLVM's view of the same kernels, with the same comments, as LLVM made it and as it was given.
// RUN: echo-translate %s --emit=llvm --target=sm_80 --kernel=contraction_0 -o %t.kernel.ll && FileCheck %s --check-prefix=IR < %t.kernel.ll
// RUN: echo-translate %s --emit=llvm-raw --target=sm_80 --kernel=contraction_0 -o %t.raw.ll && FileCheck %s --check-prefix=IR < %t.raw.ll
// RUN: not cmp -s %t.kernel.ll %t.raw.ll
// IR:       target triple = "nvptx64-nvidia-cuda"
// IR:       ; kernel contraction_0__0 (contraction): grid {{[0-9]+}}, block {{[0-9]+}}; bytes {{[0-9]+}}, flops {{[0-9]+}}
// IR-NEXT:  ;   stablehlo.
// IR:       define ptx_kernel void @contraction_0__0(
// IR-NOT:   define ptx_kernel
// Python has no AddressSanitizer, which the emulated driver would need of it.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %s --emit=ptx --target=sm_80 -o %t/step.ptx
// RUN: echo-translate %s --emit=launches --target=sm_80 -o %t/step.json
// RUN: echo-run %s --device=cuda --quiet --outputs=%t/expected.npz
// RUN: python3 %S/replay.py %t/step.ptx %t/step.json %t/expected.npz
// RUN: python3 -c "import json; s = json.load(open('%t/step.json')); assert s['target'] == 'sm_80' and s['arena_bytes'] > 0 and len(s['constants']) == 1 and len(s['steps']) >= 3 and all(k['grid'][0] > 0 and k['source'] and k['bytes'] > 0 and k['flops'] >= 0 for k in s['kernels'])"

// One kernel alone, and what is none.
// RUN: echo-translate %s --emit=ptx --kernel=contraction_0 | FileCheck %s --check-prefix=ONE
// RUN: not echo-translate %s --emit=ptx --kernel=contraction -o %t/none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not echo-translate %s --emit=llvm --kernel=contraction_0 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not env PATH=/nowhere %build/bin/echo-translate %s --emit=cubin -o %t/none 2>&1 | FileCheck %s --check-prefix=CUBIN
// CUBIN:    echo-translate: error: ptxas is not found on PATH: No such file or directory
// ONE:      // kernel contraction_0__0 (contraction): grid {{[0-9]+}}, block {{[0-9]+}}; bytes {{[0-9]+}}, flops {{[0-9]+}}
// ONE:      .entry contraction_0__0
// ONE-NOT:  .entry
// NONE:     echo-translate: error: --kernel=contraction is no kernel of this module
// OTHER:    echo-translate: error: --kernel and --ptxas-stats go with a GPU's code, not with --emit=llvm

func.func @main() -> (tensor<f32>, tensor<40x24xf32>) {
  %weights = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [3.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<3x8xf32>
  %x = stablehlo.iota dim = 0 : tensor<320x3xf32>
  %small = stablehlo.tanh %x : tensor<320x3xf32>
  %y = stablehlo.dot_general %small, %weights, contracting_dims = [1] x [0] : (tensor<320x3xf32>, tensor<3x8xf32>) -> tensor<320x8xf32>
  %z = stablehlo.reshape %y : (tensor<320x8xf32>) -> tensor<40x64xf32>
  %part = stablehlo.slice %z [0:40, 8:32] : (tensor<40x64xf32>) -> tensor<40x24xf32>
  %e = stablehlo.exponential %part : tensor<40x24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<320x8xf32>, tensor<f32>) -> tensor<f32>
  return %sum, %e : tensor<f32>, tensor<40x24xf32>
}
