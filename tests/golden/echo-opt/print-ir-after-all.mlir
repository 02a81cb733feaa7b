// RUN: echo-opt %s --pass-pipeline="builtin.module(cse,dce)" --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s
// RUN: echo-opt %s --cse --dce --mlir-print-ir-before=dce -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: echo-opt %s --cse --cse --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE

// CHECK: // -----// IR Dump After CSE (cse) //----- //
// CHECK: func.func @f
// CHECK: // -----// IR Dump After DCE (dce) //----- //
// CHECK-NOT: IR Dump Before
// BEFORE-NOT: IR Dump After
// BEFORE: // -----// IR Dump Before DCE (dce) //----- //
// BEFORE-NOT: IR Dump Before CSE
// CHANGE-COUNT-1: IR Dump After CSE (cse)
// CHANGE-NOT: IR Dump After CSE (cse)
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.abs %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
