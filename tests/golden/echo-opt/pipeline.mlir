// RUN: echo-opt %s --pass-pipeline="builtin.module(cse,canonicalize{max-num-rewrites=5},dce)" --dump-pass-pipeline 2>&1 | FileCheck %s
// RUN: echo-opt %s --pass-pipeline="cse, canonicalize" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not echo-opt %s --pass-pipeline="builtin.module(cse,nothing)" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not echo-opt %s --pass-pipeline="builtin.module(cse" 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not echo-opt %s --pass-pipeline="cse{no-such=1}" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not echo-opt %s --canonicalize=max-num-rewrites=many 2>&1 | FileCheck %s --check-prefix=NUMBER

// CHECK: builtin.module(cse,canonicalize{max-num-rewrites=5},dce)
// SHORT: builtin.module(cse,canonicalize)
// UNKNOWN: error: pass pipeline 'cse,nothing', column 5: 'nothing' does not refer to a registered pass or pass pipeline
// OPEN: error: pass pipeline 'builtin.module(cse', column 19: expected ')'
// OPTION: column 5: {{.*}} has no option '{{.*}}'
// NUMBER: error: option 'max-num-rewrites' of pass 'canonicalize': 'many' is not an integer
module {}
