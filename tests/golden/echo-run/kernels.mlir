// --kernels: every kernel with its launches, what the device model predicts, and what the clock says.
// RUN: echo-run %s --plan-only --kernels | FileCheck %s --check-prefix=PLAN
// PLAN: kernel (times of a step)
// PLAN-DAG: map_0 {{ *}}map {{ *}}1 {{ *}}2 {{ *}}- {{ *}}0.
// PLAN-DAG: contraction_0 {{ *}}contraction {{ *}}1 {{ *}}2 {{ *}}- {{ *}}0.
// PLAN: all {{ *}}2 {{ *}}4 {{ *}}- {{ *}}0.

// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --no-cache --steps=3 --kernels --json=%t/k.json | FileCheck %s --check-prefix=TIMED
// TIMED-DAG: contraction_0 {{ *}}contraction {{ *}}1 {{ *}}2 {{ *}}0.{{[0-9]+}} {{ *}}0.
// RUN: python3 -c "import json; k = json.load(open('%t/k.json'))['kernels']; assert all(x['measured_ns'] >= x['least_ns'] > 0 and x['predicted_ns'] > 0 and x['launches'] > 0 for x in k) and {x['kind'] for x in k} == {'contraction', 'map'}"

// What loops are called is still known when no op says any more what they compute; a loop's launches are counted by the run.
// RUN: echo-opt %s --to=loops -o %t/loops.mlir
// RUN: echo-run %t/loops.mlir --no-cache --quiet --kernels --json=%t/loops.json
// RUN: python3 -c "import json; k = json.load(open('%t/loops.json'))['kernels']; assert k and all(x['predicted_ns'] is None and x['measured_ns'] is not None for x in k)"

func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = stablehlo.tanh %0 : tensor<32x32xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %3 = stablehlo.tanh %2 : tensor<32x32xf32>
  return %3 : tensor<32x32xf32>
}
