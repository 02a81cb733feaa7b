// A training step: Echo on and off give the same bits, the plan is what the device hands out, from every stage.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --no-cache --steps=3 --outputs=%t/off.npz --json=%t/off.json --report=%t/off.html
// RUN: echo-run %s --no-cache --quiet --steps=3 --echo=budget=min --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/on.json --report=%t/on.html
// RUN: python3 -c "import json; j = json.load(open('%t/off.json')); assert j['planned_peak_bytes'] == j['measured_peak_bytes'] > 0 and not j['echo']['on'] and len(j['losses']['res0']) == 3"
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on')); assert b['planned_peak_bytes'] == b['measured_peak_bytes'] <= a['planned_peak_bytes'] == b['echo']['peak_bytes_off'] and a['losses'] == b['losses']"

// RUN: echo-run %s --device=interpreter --quiet --steps=3 --expect=%t/off.npz --rtol=1e-5 --atol=1e-6
// RUN: echo-run %s --plan-only --threads=1 --json=- | FileCheck %s --check-prefix=PLAN
// PLAN-DAG: "planned_peak_bytes": {{[1-9]}}
// PLAN-DAG: "measured_peak_bytes": null
// PLAN-DAG: "step_s": null

// RUN: FileCheck %s --check-prefix=HTML --input-file=%t/on.html
// HTML: <!doctype html>
// HTML: planned peak with Echo
// HTML: <h2>Without Echo</h2>
// HTML-NEXT: <svg
// HTML: planned peak
// HTML: <h2>With Echo</h2>
// HTML: Largest values with Echo
// HTML: training_step.mlir:[[#]]:
// HTML: </html>
// RUN: not grep -E "https?:|<script|@import|url\(" %t/on.html

// RUN: echo-opt %s --to=tensor -o %t/tensor.mlir
// RUN: echo-run %t/tensor.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=step -o %t/step.mlir
// RUN: echo-run %t/step.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=scheduled -o %t/scheduled.mlir
// RUN: echo-run %t/scheduled.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=kernels -o %t/kernels.mlir
// RUN: echo-run %t/kernels.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=planned -o %t/planned.mlir
// RUN: echo-run %t/planned.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=loops -o %t/loops.mlir
// RUN: echo-run %t/loops.mlir --no-cache --quiet --steps=3 --expect=%t/off.npz --rtol=0 --atol=0

func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<16x8xf32>) -> (tensor<f32>, tensor<8x8xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %b = stablehlo.tanh %a : tensor<16x8xf32>
  %c = stablehlo.exponential %b : tensor<16x8xf32>
  %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %e = stablehlo.tanh %d : tensor<16x8xf32>
  %f = stablehlo.multiply %e, %e : tensor<16x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %rate = stablehlo.constant dense<0.01> : tensor<8x8xf32>
  %h = stablehlo.multiply %g, %rate : tensor<8x8xf32>
  %new = stablehlo.subtract %w, %h : tensor<8x8xf32>
  return %loss, %new : tensor<f32>, tensor<8x8xf32>
}
