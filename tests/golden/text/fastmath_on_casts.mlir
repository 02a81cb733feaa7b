// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Casts of floats with and without their flags.

"builtin.module"() ({
  "func.func"() <{function_type = (bf16, f64) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: bf16, %arg1: f64):
    %0 = "arith.extf"(%arg0) <{fastmath = #arith.fastmath<contract>}> : (bf16) -> f32
    %1 = "arith.truncf"(%arg1) <{fastmath = #arith.fastmath<nnan>, roundingmode = 0 : i32}> : (f64) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "func.func"() <{function_type = (bf16, f64) -> (), sym_name = "f"}> ({
// CHECK-NEXT{LITERAL}:  ^bb0(%arg0: bf16, %arg1: f64):
// CHECK-NEXT{LITERAL}:    %0 = "arith.extf"(%arg0) <{fastmath = #arith.fastmath<contract>}> : (bf16) -> f32
// CHECK-NEXT{LITERAL}:    %1 = "arith.truncf"(%arg1) <{fastmath = #arith.fastmath<nnan>, roundingmode = 0 : i32}> : (f64) -> f32
// CHECK-NEXT{LITERAL}:    "func.return"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
