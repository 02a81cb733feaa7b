// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Dense elements of dialect types are strings.

"text.op"() {k = dense<["a", "b\n"]> : tensor<2x!foo.string>} : () -> ()
"text.op"() {k = dense<"a"> : tensor<2x!foo.string>} : () -> ()
"text.op"() {k = dense<["a"]> : tensor<1x!foo.string>} : () -> ()
"text.op"() {k = dense<[["a", "c"], ["a", "a"]]> : tensor<2x2x!foo.string>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<["a", "b\0A"]> : tensor<2x!foo.string>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<"a"> : tensor<2x!foo.string>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<"a"> : tensor<1x!foo.string>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<[["a", "c"], ["a", "a"]]> : tensor<2x2x!foo.string>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
