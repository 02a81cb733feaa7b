// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Distinct attributes are numbered in the order of printing.

"text.op"() {k = distinct[0]<42 : i32>} : () -> ()
"text.op"() {k = distinct[5]<>} : () -> ()
"text.op"() {k = distinct[3]<[1, 2]>} : () -> ()

//      CHECK{LITERAL}:#distinct = distinct[0]<42 : i32>
// CHECK-NEXT{LITERAL}:#distinct1 = distinct[1]<[1, 2]>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #distinct} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = distinct[2]<>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #distinct1} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
