// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Dialect attributes are kept as they are written.

"text.op"() {k = #foo.bar} : () -> ()
"text.op"() {k = #foo.bar<baz>} : () -> ()
"text.op"() {k = #foo<"bar">} : () -> ()
"text.op"() {k = #foo<bar>} : () -> ()
"text.op"() {k = #foo<bar<baz>>} : () -> ()
"text.op"() {k = #foo<a->b>} : () -> ()
"text.op"() {k = #foo.bar<a -> b, "str>ing", (c), [d], {e}>} : () -> ()
"text.op"() {k = #foo.bar : i32} : () -> ()
"text.op"() {k = #foo.bar<4> : tensor<4xf32>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar<baz>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo<"bar">} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar<baz>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo<a->b>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar<a -> b, "str>ing", (c), [d], {e}>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar : i32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #foo.bar<4> : tensor<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
