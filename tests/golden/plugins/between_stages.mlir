// --before=STAGE:PIPELINE runs passes on the way to a stage, in all tools alike, in the order given.
// RUN: echo-opt %s --to=kernels --before=scheduled:cse,dce --before=kernels:cse --dump-pass-pipeline --no-output 2>&1 | FileCheck %s
// CHECK: set-stage{stage=step},cse,dce,reuse-arrays,schedule,set-stage{stage=scheduled},cse,fuse,set-stage{stage=kernels}
// RUN: echo-run %s --before=kernels:print-op-stats --plan-only 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: echo-translate %s --before=kernels:print-op-stats --emit=trace 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: stablehlo.tanh , 1
// Before "echoed" they run whether Echo is asked for or not.
// RUN: echo-run %s --before=echoed:print-op-stats --plan-only 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: echo-run %s --before=echoed:print-op-stats --plan-only --echo 2>&1 | FileCheck %s --check-prefix=STATS

// RUN: not echo-opt %s --to=step --before=planed:cse 2>&1 | FileCheck %s --check-prefix=NOSTAGE
// NOSTAGE: echo-opt: error: --before: 'planed' is no stage
// RUN: not echo-run %s --before=planned 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not echo-run %s --before=planned: 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: echo-run: error: --before: 'planned{{:?}}' is not STAGE:PIPELINE
// RUN: not echo-translate %s --before=model:cse 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: echo-translate: error: --before: nothing comes before stage 'model'
// RUN: not echo-opt %s --before=step:cse 2>&1 | FileCheck %s --check-prefix=TO
// TO: echo-opt: error: --before wants --to=STAGE
// RUN: not echo-opt %s --to=step --before=planned:cse 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not echo-run %s --plan-only --before=loops:cse 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: 'builtin.module' op is taken to stage '{{step|planned}}' only: nothing runs before '{{planned|loops}}'
// RUN: echo-opt %s --to=step -o %t.step && not echo-translate %t.step --before=tensor:cse 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: error: 'builtin.module' op is at stage 'step': nothing runs before 'tensor' any more
// RUN: not echo-run %s --before=planned:nope 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: {{.*}}nope
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
