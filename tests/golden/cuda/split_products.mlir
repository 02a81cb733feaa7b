// Few results of many terms, in parts that fill more of a chip: the same bits with and without recompute, and those of the interpreter within roundings.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-4 --outputs=%t/gpu.npz --json=%t/off.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0 --json=%t/on.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; a, b, c = (json.load(open('%t/%%s.json' %% n)) for n in ('off', 'on', 'kernels')); assert a['planned_peak_bytes'] == a['measured_peak_bytes'] >= b['planned_peak_bytes'] == b['measured_peak_bytes']; k = [x for x in c['kernels'] if x['kind'] == 'contraction' and x['launches']]; assert len(k) == 2 and all(x['blocks'] >= 16 for x in k), k"
func.func @main(%a: tensor<2048x40xbf16>, %b: tensor<2048x56xbf16>, %c: tensor<33x2048xf32>, %d: tensor<2048x20xf32>) -> (tensor<40x56xbf16>, tensor<33x20xf32>) {
  %s = stablehlo.tanh %d : tensor<2048x20xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2048x40xbf16>, tensor<2048x56xbf16>) -> tensor<40x56xbf16>
  %1 = stablehlo.dot_general %c, %s, contracting_dims = [1] x [0] : (tensor<33x2048xf32>, tensor<2048x20xf32>) -> tensor<33x20xf32>
  return %0, %1 : tensor<40x56xbf16>, tensor<33x20xf32>
}
