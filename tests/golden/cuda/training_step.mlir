// A training step on a GPU, the emulated one: Echo on and off give the same bits, the plan is what the device hands out, results agree with the
// interpreter, each kernel has its counters.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cuda --steps=3 --outputs=%t/off.npz --json=%t/off.json --report=%t/off.html | FileCheck %s
// CHECK: main: 2 arguments, 2 results
// CHECK: memory: planned peak [[PEAK:.*]] (arguments {{.*}}), measured [[PEAK]]
// RUN: echo-run %s --device=cuda:0 --quiet --steps=3 --echo=budget=min --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] and b['planned_peak_bytes'] == b['measured_peak_bytes'] < a['planned_peak_bytes'] and a['losses'] == b['losses'] and a['device'] == 'cuda'"
// RUN: echo-run %s --device=interpreter --quiet --steps=3 --expect=%t/off.npz --rtol=1e-5 --atol=1e-6
// RUN: echo-opt %s --to=loops --target=sm_80 -o %t/loops.mlir
// RUN: echo-run %t/loops.mlir --device=cuda --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0

// RUN: echo-run %s --device=cuda --quiet --steps=2 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = json.load(open('%t/kernels.json'))['kernels']; assert k and all(x['kernel'] == x['name'] and x['bytes'] >= x['floor_bytes'] > 0 and 0 < x['sector_use'] <= 1 and x['bank_conflicts'] >= 0 and x['blocks'] > 0 and x['threads'] > 0 and x['registers'] is None and x['spill_bytes'] is None and x['roofline_ns'] > 0 and x['measured_ns'] > 0 for x in k)"

// The same with products in tf32, whose losses are others.
// RUN: echo-run %s --device=cuda --tf32 --quiet --steps=3 --outputs=%t/tf32.npz
// RUN: echo-run %s --device=cuda --tf32 --quiet --steps=3 --echo=budget=min --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: not echo-run %s --device=cuda --quiet --steps=3 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --tf32 --quiet --steps=3 --expect=%t/off.npz --rtol=1e-2 --atol=1e-3

// Values that wait in host memory go there and back on streams of their own, ordered by events: were they not, the device would say so.
// RUN: echo-run %s --device=cuda --quiet --steps=3 --echo=budget=min,swap=on --expect=%t/off.npz --rtol=0 --atol=0

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
