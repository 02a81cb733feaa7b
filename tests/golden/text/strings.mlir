// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Strings and their escapes.

"text.op"() {k = "hello"} : () -> ()
"text.op"() {k = "a\"b\\c\n\t\00\FF"} : () -> ()
"text.op"() {k = "typed" : i32} : () -> ()
"text.op"() {k = "é"} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = "hello"} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = "a\22b\\c\0A\09\00\FF"} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = "typed" : i32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = "\C3\A9"} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
