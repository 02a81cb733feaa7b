// A training step whose products cuBLASLt makes: Echo on and off, graphs and single launches, feeding, loops, all the same bits. No product has anything else in its kernel: which of the two makes it
// is a matter of its shape alone.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --steps=3 --outputs=%t/off.npz --json=%t/off.json --quiet
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --steps=3 --echo=budget=min --quiet --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] and b['planned_peak_bytes'] == b['measured_peak_bytes'] < a['planned_peak_bytes'] and a['losses'] == b['losses'] and 'cuBLASLt' in a['library'] and b['echo']['values_recomputed']"
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --steps=3 --echo=budget=min,swap=on --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --steps=3 --kernels --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cublaslt --no-cache --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=interpreter --quiet --steps=3 --expect=%t/off.npz --rtol=1e-5 --atol=1e-6
// RUN: not echo-run %s --device=cuda --steps=3 --quiet --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-run %s --plan-only --target=sm_80 --cublaslt --quiet --json=%t/plan.json
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'plan')); assert a['planned_peak_bytes'] == b['planned_peak_bytes']"
// RUN: echo-run %root/tests/golden/cuda/graphs.mlir --device=cuda --cublaslt --cache-dir=%t/cache --steps=4 --feed=res0:arg0 --quiet --outputs=%t/fed.npz
// RUN: echo-run %root/tests/golden/cuda/graphs.mlir --device=cuda --cublaslt --cache-dir=%t/cache --steps=4 --feed=res0:arg0 --kernels --quiet --expect=%t/fed.npz --rtol=0 --atol=0
// RUN: echo-run %root/tests/golden/cuda/graphs.mlir --device=interpreter --steps=4 --feed=res0:arg0 --quiet --expect=%t/fed.npz --rtol=1e-5 --atol=1e-6

// A bundle of such kernels has the library make them where it is found and faster, and takes ours where it is not; one that was made without the option takes ours.
// RUN: echo-translate %s --emit=bundle --target=sm_80 --cublaslt -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/bundle.json
// RUN: python3 -c "import json; assert 'cuBLASLt' in json.load(open('%t/bundle.json'))['library']"
// RUN: env ECHO_GPU_CUBLASLT=none echo-run-bundle %t/step.bundle --quiet --steps=3 --outputs=%t/none.npz 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: {{.*}} products are made by kernels of ours
// RUN: echo-run %s --device=cuda --steps=3 --quiet --expect=%t/none.npz --rtol=0 --atol=0
// RUN: echo-translate %s --emit=bundle --target=sm_80 -o %t/own.bundle
// RUN: echo-run-bundle %t/own.bundle --quiet --steps=3 --expect=%t/none.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=loops --target=sm_80 --cublaslt -o %t/loops.mlir
// RUN: echo-translate %t/loops.mlir --emit=bundle --target=sm_80 -o %t/loops.bundle
// RUN: echo-run-bundle %t/loops.bundle --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: not echo-translate %s --emit=bundle --cublaslt -o %t/cpu.bundle 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: --cublaslt makes a GPU's products: it needs a GPU's --target

func.func @main(%w: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<64x32xf32>) -> (tensor<f32>, tensor<32x32xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %b = stablehlo.tanh %a : tensor<64x32xf32>
  %c = stablehlo.exponential %b : tensor<64x32xf32>
  %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %e = stablehlo.tanh %d : tensor<64x32xf32>
  %e1 = stablehlo.logistic %e : tensor<64x32xf32>
  %e2 = stablehlo.dot_general %e1, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %e3 = stablehlo.tanh %e2 : tensor<64x32xf32>
  %f = stablehlo.multiply %e3, %e3 : tensor<64x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %rate = stablehlo.constant dense<0.0001> : tensor<32x32xf32>
  %h = stablehlo.multiply %g, %rate : tensor<32x32xf32>
  %new = stablehlo.subtract %w, %h : tensor<32x32xf32>
  return %loss, %new : tensor<f32>, tensor<32x32xf32>
}
