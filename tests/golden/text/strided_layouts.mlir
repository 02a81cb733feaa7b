// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Strided layouts.

"text.op"() {k = strided<[1, 2], offset: 3>} : () -> ()
"text.op"() {k = strided<[?, 1], offset: ?>} : () -> ()
"text.op"() {k = strided<[]>} : () -> ()
"text.op"() {k = strided<[-1]>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = strided<[1, 2], offset: 3>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = strided<[?, 1], offset: ?>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = strided<[]>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = strided<[-1]>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
