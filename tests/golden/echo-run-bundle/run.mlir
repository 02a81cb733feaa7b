// A program in one file, run and trained without a compiler: the same bits as echo-run, with Echo and without, on any number of threads; state
// that is donated stays on the device, and its plan is what the device hands out.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %s --emit=bundle -o %t/step.bundle
// RUN: echo-run %s --no-cache --quiet --steps=4 --outputs=%t/want.npz --trace=%t/want_trace.npz --json=%t/want.json
// RUN: echo-run-bundle %t/step.bundle --steps=4 --expect=%t/want.npz --rtol=0 --atol=0 --outputs=%t/out.npz --trace=%t/trace.npz --json=%t/out.json | FileCheck %s
// CHECK: main: 2 arguments, 2 results
// CHECK: inputs: 2 drawn from seed 0
// CHECK: memory: planned peak [[PEAK:.*]] (arguments {{.*}}), measured [[PEAK]]
// CHECK: res1: same
// RUN: cmp %t/want.npz %t/out.npz
// RUN: cmp %t/want_trace.npz %t/trace.npz
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('want', 'out')); assert all(a[k] == b[k] for k in ('losses', 'planned_peak_bytes', 'measured_peak_bytes', 'arena_bound_bytes', 'n_launches', 'steps', 'device', 'library')) and a['measured_peak_bytes'] == b['planned_peak_bytes']"
// RUN: echo-run %S/../cuda/training_step.mlir --no-cache --quiet --steps=3 --outputs=%t/off.npz --json=%t/off.json
// RUN: echo-translate %S/../cuda/training_step.mlir --emit=bundle --echo=budget=min -o %t/least.bundle
// RUN: echo-run-bundle %t/least.bundle --steps=3 --threads=1 --quiet --expect=%t/off.npz --rtol=0 --atol=0 --json=%t/least.json
// RUN: python3 -c "import json; a, b = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'least')); assert b['planned_peak_bytes'] == b['measured_peak_bytes'] < a['planned_peak_bytes']"

// The same bytes whenever it is made; the first processors of its kind make the same numbers.
// RUN: echo-translate %s --emit=bundle -o %t/again.bundle
// RUN: cmp %t/step.bundle %t/again.bundle
// RUN: echo-translate %s --emit=bundle --cpu=x86-64 -o %t/first.bundle
// RUN: echo-run-bundle %t/first.bundle --steps=4 --quiet --expect=%t/want.npz --rtol=0 --atol=0

// What it is given and asked: files, feeds, what each kernel takes.
// RUN: python3 %S/../echo-run/Inputs/make_npz.py %t/in.npz "arg0=<f4:32,32:0.25"
// RUN: echo-run %s --no-cache --quiet --inputs=%t/in.npz --seed=3 --steps=2 --outputs=%t/seeded.npz
// RUN: echo-run-bundle %t/step.bundle --inputs=%t/in.npz --seed=3 --steps=2 --kernels --expect=%t/seeded.npz --rtol=0 --atol=0 | FileCheck %s --check-prefix=KERNELS
// KERNELS: kernel (times of a step)
// KERNELS: reduce_0

// Nothing is needed: no compiler, no library, nothing on PATH.
// RUN: /usr/bin/env -i PATH=/nonexistent %build/bin/echo-run-bundle %t/step.bundle --steps=4 --quiet --expect=%t/want.npz --rtol=0 --atol=0
// RUN: python3 -c "import os, subprocess; f = '%build/bin/echo-run-bundle'; needed = [l.split()[1] for l in subprocess.check_output(['objdump', '-p', f], text=True).splitlines() if 'NEEDED' in l]; assert 'asan' in f or (os.path.getsize(f) < 2000000 and not [n for n in needed if not n.startswith(('libc.', 'libm.', 'ld-linux', 'libpthread.', 'libdl.'))]), needed"

func.func @main(%w: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<64x32xf32>) -> (tensor<f32>, tensor<32x32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<64x32x32xf32>
  %i0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<64x32xf32>) -> tensor<64x32x32xf32>
  %p0 = stablehlo.multiply %h, %i0 : tensor<64x32x32xf32>
  %a0 = stablehlo.reduce(%p0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x32x32xf32>, tensor<f32>) -> tensor<64x32xf32>
  %b0 = stablehlo.tanh %a0 : tensor<64x32xf32>
  %c0 = stablehlo.exponential %b0 : tensor<64x32xf32>
  %loss = stablehlo.reduce(%c0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %rate = stablehlo.constant dense<1.0e-5> : tensor<32x32xf32>
  %s = stablehlo.multiply %g, %rate : tensor<32x32xf32>
  %next = stablehlo.subtract %w, %s : tensor<32x32xf32>
  return %loss, %next : tensor<f32>, tensor<32x32xf32>
}
