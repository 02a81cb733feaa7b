// Control flow between blocks has no schedule and no plan: each pass that makes one says so.
// RUN: not echo-opt --allow-unregistered-dialect --schedule %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not echo-opt --allow-unregistered-dialect --echo %s 2>&1 | FileCheck %s --check-prefix=ECHO
// RUN: not echo-opt --allow-unregistered-dialect --fuse %s 2>&1 | FileCheck %s --check-prefix=FUSE
// RUN: not echo-opt --allow-unregistered-dialect --bufferize %s 2>&1 | FileCheck %s --check-prefix=BUFFERIZE

// SCHEDULE: branches.mlir:[[#@LINE+4]]:1: error: 'func.func' op has control flow between blocks; only structured control flow has a schedule
// ECHO: branches.mlir:[[#@LINE+3]]:1: error: 'func.func' op has control flow between blocks; only structured control flow has a plan
// FUSE: branches.mlir:[[#@LINE+2]]:1: error: 'func.func' op has control flow between blocks; only structured control flow can be fused
// BUFFERIZE: branches.mlir:[[#@LINE+1]]:1: error: 'func.func' op has control flow between blocks; only structured control flow has a plan
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  "cf.br"(%x)[^next] : (tensor<4xf32>) -> ()
^next(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}
