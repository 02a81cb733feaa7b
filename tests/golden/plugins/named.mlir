// Orders and device models by name, ours and a plugin's; Echo and the schedule see the same one.
// RUN: cc -std=c17 -fPIC -shared -I%root %S/Inputs/named.c -o %t.so
// RUN: echo-opt %s --to=scheduled --order=given --mlir-print-local-scope | FileCheck %s --check-prefix=GIVEN
// RUN: echo-opt %s --to=scheduled --order=last --load-pass-plugin=%t.so --mlir-print-local-scope | FileCheck %s --check-prefix=LAST
// RUN: echo-opt %s --to=step -o %t.mlir && echo-opt %t.mlir --schedule=order=last --load-pass-plugin=%t.so | FileCheck %s --check-prefix=LAST
// GIVEN: stablehlo.tanh
// GIVEN: stablehlo.exponential
// LAST: stablehlo.exponential
// LAST: stablehlo.tanh
// RUN: echo-opt %s --to=scheduled --echo=budget=min --order=late --dump-pass-pipeline --no-output 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: echo{{[{].*}}order=late{{.*}}schedule{{[{].*}}order=late

// RUN: not echo-opt %s --to=scheduled --order=backwards --load-pass-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not echo-run %s --echo --plan-only --order=backwards --load-pass-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: named.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'func.return' op order 'backwards' is none: what stands at position 0 of {{[0-9]+}} cannot run there
// RUN: not echo-translate %s --order=first --load-pass-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: 'first' is no order: given, flow, demand, eager, late, joint, update, through, last, backwards are
// RUN: not echo-run %s --plan-only --echo=order=first 2>&1 | FileCheck %s --check-prefix=OURS
// OURS: error: 'first' is no order: given, flow, demand, eager, late, joint, update, through are

// RUN: echo-run %s --plan-only --kernels --load-pass-plugin=%t.so --device-model=slow-tanh --json=- | FileCheck %s --check-prefix=SLOW
// SLOW: "predicted_ns": 10{{[0-9][0-9][0-9][0-9][0-9]}}
// RUN: echo-run %s --plan-only --kernels --json=- | FileCheck %s --check-prefix=FAST
// FAST: "predicted_ns": {{[0-9]?[0-9]?[0-9]?[0-9]}},
// RUN: echo-plan device slow-tanh --load-pass-plugin=%t.so | FileCheck %s --check-prefix=MODEL
// MODEL: name = slow-tanh
// RUN: not echo-run %s --plan-only --device-model=slow-tanh 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: device model 'slow-tanh': {{.*}}No such file
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a = stablehlo.tanh %x : tensor<64x64xf32>
  %b = stablehlo.exponential %y : tensor<64x64xf32>
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
