// RUN: rm -rf %t && echo-opt %s --cse --dce --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t -o /dev/null 2>&1 | count 0
// RUN: ls %t/builtin_module_no-symbol-name | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE < %t/builtin_module_no-symbol-name/1_dce.mlir

// CHECK: 0_cse.mlir
// CHECK-NEXT: 1_dce.mlir
// FILE: IR Dump After DCE (dce)
// FILE: func.func @f
func.func @f() {
  return
}
