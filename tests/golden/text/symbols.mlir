// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Symbol references.

"text.op"() {k = @foo} : () -> ()
"text.op"() {k = @foo::@bar::@"b az"} : () -> ()
"text.op"() {k = @"a b"} : () -> ()
"text.op"() {k = @"foo.bar"} : () -> ()
"text.op"() {k = @"1a"} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = @foo} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = @foo::@bar::@"b az"} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = @"a b"} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = @foo.bar} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = @"1a"} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
