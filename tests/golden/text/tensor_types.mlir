// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Tensor types.

"text.op"() {k = tensor<4xf32>} : () -> ()
"text.op"() {k = tensor<?x4xf32>} : () -> ()
"text.op"() {k = tensor<*xf32>} : () -> ()
"text.op"() {k = tensor<f32>} : () -> ()
"text.op"() {k = tensor<0xi32>} : () -> ()
"text.op"() {k = tensor<0x4xi32>} : () -> ()
"text.op"() {k = tensor<4x4xi32, #foo.enc>} : () -> ()
"text.op"() {k = tensor<4x4xi32, "enc">} : () -> ()
"text.op"() {k = tensor<4x4xi32, 5>} : () -> ()
"text.op"() {k = tensor<4x4x!foo.t>} : () -> ()
"text.op"() {k = tensor<4xvector<4xf32>>} : () -> ()
"text.op"() {k = tensor<4xcomplex<f32>>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<?x4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<*xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<f32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<0xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<0x4xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4x4xi32, #foo.enc>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4x4xi32, "enc">} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4x4xi32, 5 : i64>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4x4x!foo.t>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4xvector<4xf32>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4xcomplex<f32>>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
