// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Complex and tuple types; long tuples get an alias.

"text.op"() {k = complex<f64>} : () -> ()
"text.op"() {k = complex<i8>} : () -> ()
"text.op"() {k = tuple<>} : () -> ()
"text.op"() {k = tuple<i32, f32, tuple<index>>} : () -> ()
"text.op"() {k = tuple<i1,i2,i3,i4,i5,i6,i7,i8,i9,i10,i11,i12,i13,i14,i15,i16,i17>} : () -> ()

//      CHECK{LITERAL}:!tuple = tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = complex<f64>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = complex<i8>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tuple<>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tuple<i32, f32, tuple<index>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = !tuple} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
