// What no kernel computes a GPU leaves to its host: copies to pinned memory, the call, copies back, in a loop and beside kernels. Results are those of the
// CPU, where the same functions are called; the memory that the host works in is planned.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/reference.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/reference.npz --outputs=%t/off.npz --json=%t/off.json
// RUN: echo-run %s --device=cuda --quiet --expect=%t/off.npz --rtol=0 --atol=0 --echo=budget=min
// RUN: echo-run %s --device=cuda --quiet --expect=%t/off.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: echo-run %s --target=sm_80 --quiet --plan-only --json=%t/plan.json
// RUN: python3 -c "import json; r, p, k = [json.load(open('%t/' + f)) for f in ('off.json', 'plan.json', 'kernels.json')]; assert p['target'] == 'sm_80' and p['device'] == r['device'] == 'cuda' and r['target'].startswith('sm_'); assert r['measured_host_bytes'] == r['planned_host_bytes'] == p['planned_host_bytes'] >= 2 * 5 * 16 * 4; calls = [x for x in k['kernels'] if x['kind'] == 'library']; assert sorted(x['launches'] for x in calls) == [1, 3] and all(x['predicted_ns'] > 5000 for x in calls)"
// RUN: echo-translate %s --emit=launches --target=sm_80 | FileCheck %s --check-prefix=LAUNCHES
// RUN: echo-translate %s --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --device=cuda --quiet --expect=%t/off.npz --rtol=0 --atol=0

// LAUNCHES: "step": "call"
// LAUNCHES: "library": "echo"
// LAUNCHES-NEXT: "symbol": "echo_fft_f32"
// LAUNCHES-NEXT: "in_host": true
// LAUNCHES: "library": "blas"

func.func @main(%x: tensor<5x16xf32>, %a: tensor<5x5xf32>) -> (tensor<5x16xf32>, tensor<5x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<5x16xf32>
  %scale = stablehlo.constant dense<0.25> : tensor<5x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<5x16xf32>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %c = stablehlo.complex %v, %none : tensor<5x16xcomplex<f32>>
    %f = stablehlo.fft %c, type = FFT, length = [16] : (tensor<5x16xcomplex<f32>>) -> tensor<5x16xcomplex<f32>>
    %n = stablehlo.abs %f : (tensor<5x16xcomplex<f32>>) -> tensor<5x16xf32>
    %s = stablehlo.multiply %n, %scale : tensor<5x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<5x16xf32>
  }
  %y = "stablehlo.triangular_solve"(%a, %0#1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<5x5xf32>, tensor<5x16xf32>) -> tensor<5x16xf32>
  %z = stablehlo.tanh %y : tensor<5x16xf32>
  return %0#1, %z : tensor<5x16xf32>, tensor<5x16xf32>
}
