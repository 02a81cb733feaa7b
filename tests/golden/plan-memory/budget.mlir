// RUN: not echo-opt --plan-memory %s 2>&1 | FileCheck %s

// What --echo brought below a budget is not planned above it: constants count with their padding.
// CHECK: budget.mlir:[[#@LINE+2]]:3: error: 'func.func' op is planned to take 256 bytes; the budget is 255
module attributes {echo.stage = "planned", echo.budget_bytes = 255 : i64} {
  func.func @main(%out: memref<32xf32> {plan.result = 0 : i32}) {
    %arena = "plan.arena"() <{size_bytes = 0 : i64, alignment = 64 : i64}> : () -> memref<0xi8>
    %t = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<16xf32>
    %zero = "plan.constant"() <{value = dense<0.0> : tensor<9xf32>}> : () -> memref<9xf32>
    "plan.copy"(%t, %t) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}
