// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Properties and discardable attributes stay where they are written.

"text.op"() <{a = 1 : i32}> : () -> ()
"text.op"() <{b = "x", a}> {c = 2 : i8, "d e" = 3 : i8} : () -> ()
"text.op"() <{}> : () -> ()
"text.op"() {} : () -> ()
"text.op"() <{a}> ({
}) {b} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() <{a = 1 : i32}> : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() <{a, b = "x"}> {c = 2 : i8, "d e" = 3 : i8} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() <{}> : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() <{a}> ({
// CHECK-NEXT{LITERAL}:  }) {b} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
