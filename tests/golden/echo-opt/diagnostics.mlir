// What is wrong, where, and the op in question, once for each place.
// RUN: not echo-opt %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace --implicit-check-not=error
// RUN: not echo-opt %s --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s --check-prefix=BARE --implicit-check-not=note:
// RUN: %if mlir-opt-19 %{ not mlir-opt-19 %s > %t.mlir-opt 2>&1 ; not echo-opt %s 2>&1 | diff - %t.mlir-opt %}

//      CHECK:{{.*}}diagnostics.mlir:[[#@LINE+6]]:3: error: type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f
// CHECK-NEXT:  func.return %x : i32
// CHECK-NEXT:  ^
// CHECK-NEXT:{{.*}}diagnostics.mlir:[[#@LINE+3]]:3: note: see current operation: "func.return"(%arg0) : (i32) -> ()
//       BARE: error: type of return operand 0
func.func @f(%x: i32) -> i64 {
  func.return %x : i32
}
