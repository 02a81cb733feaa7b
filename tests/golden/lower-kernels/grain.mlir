// What a thread takes at a time stands in the IR, from the device model: how much is worth as much as starting a kernel. Bits do not depend on it.
// RUN: mkdir -p %t && printf 'name = eager\nlaunch_ns = 10\n' > %t/eager.device && printf 'name = slow\nlaunch_ns = 1e9\n' > %t/slow.device
// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{device=%t/slow.device})' --mlir-print-op-generic %s | FileCheck %s --check-prefix=SLOW
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{device=%t/eager.device})' --mlir-print-op-generic %s | FileCheck %s --check-prefix=EAGER
// RUN: not echo-opt --pass-pipeline='builtin.module(lower-kernels{device=%t/none.device})' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels,set-stage{stage=loops})' --mlir-print-op-generic %s | sed 's/kernel.grain = [0-9]*/kernel.grain = 0/' > %t/zero.mlir
// RUN: not echo-translate %t/zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t/zero.mlir -o /dev/null
// REQUIRES: mlir-opt-19

// Sorted rows: a task each. By the default model some go out at a time, by the slow one all at once, by the eager one in the most portions that there are.
// CHECK:      "func.func"{{.*}}sym_name = "rows"
// CHECK:      "scf.reduce"
// CHECK-NEXT: {kernel.grain = [[GRAIN:[0-9]+]] : i64} : (index, index, index) -> ()
// SLOW:       "func.func"{{.*}}sym_name = "rows"
// SLOW:       {kernel.grain = 2000 : i64} : (index, index, index) -> ()
// EAGER:      "func.func"{{.*}}sym_name = "rows"
// EAGER:      {kernel.grain = 8 : i64} : (index, index, index) -> ()
// NONE:       error: device model '{{.*}}none.device':
// ZERO:       zero.mlir:{{[0-9]+:[0-9]+}}: error: 'scf.parallel' op expects a kernel.grain of one or more
"kernel.func"() <{sym_name = "rows", kind = "sort", function_type = (tensor<2000x50xf32>) -> tensor<2000x50xf32>}> ({
^bb0(%a: tensor<2000x50xf32>):
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2000x50xf32>) -> tensor<2000x50xf32>
  "kernel.return"(%0) : (tensor<2000x50xf32>) -> ()
}) : () -> ()
