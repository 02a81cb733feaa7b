// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Dense arrays.

"text.op"() {k = array<i64: 1, 2, -3>} : () -> ()
"text.op"() {k = array<i32>} : () -> ()
"text.op"() {k = array<i1: true, false>} : () -> ()
"text.op"() {k = array<f32: 1.0, 0.1>} : () -> ()
"text.op"() {k = array<f64: 1.0>} : () -> ()
"text.op"() {k = array<i8: -1, 127>} : () -> ()
"text.op"() {k = array<ui8: 255>} : () -> ()
"text.op"() {k = array<bf16: 1.0>} : () -> ()
"text.op"() {k = array<f16: 0.1>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<i64: 1, 2, -3>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<i32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<i1: true, false>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<f32: 1.000000e+00, 1.000000e-01>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<f64: 1.000000e+00>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<i8: -1, 127>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<ui8: 255>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<bf16: 1.000000e+00>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = array<f16: 9.997550e-02>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
