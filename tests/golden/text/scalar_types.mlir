// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Types of scalars.

"text.op"() {k = i32} : () -> ()
"text.op"() {k = none} : () -> ()
"text.op"() {k = index} : () -> ()
"text.op"() {k = i1} : () -> ()
"text.op"() {k = si32} : () -> ()
"text.op"() {k = ui32} : () -> ()
"text.op"() {k = i16777215} : () -> ()
"text.op"() {k = bf16} : () -> ()
"text.op"() {k = f16} : () -> ()
"text.op"() {k = f32} : () -> ()
"text.op"() {k = f64} : () -> ()
"text.op"() {k = f80} : () -> ()
"text.op"() {k = f128} : () -> ()
"text.op"() {k = tf32} : () -> ()
"text.op"() {k = f8E5M2} : () -> ()
"text.op"() {k = f8E4M3} : () -> ()
"text.op"() {k = f8E4M3FN} : () -> ()
"text.op"() {k = f8E5M2FNUZ} : () -> ()
"text.op"() {k = f8E4M3FNUZ} : () -> ()
"text.op"() {k = f8E4M3B11FNUZ} : () -> ()
"text.op"() {k = i0} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = i32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = none} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = index} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = i1} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = si32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = ui32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = i16777215} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = bf16} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f16} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f64} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f80} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f128} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tf32} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E5M2} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E4M3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E4M3FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E5M2FNUZ} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E4M3FNUZ} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E4M3B11FNUZ} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = i0} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
