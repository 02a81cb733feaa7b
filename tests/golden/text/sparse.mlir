// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Sparse elements.

"text.op"() {k = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>} : () -> ()
"text.op"() {k = sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<3x4xf32>} : () -> ()
"text.op"() {k = sparse<0, 1> : tensor<1xi32>} : () -> ()
"text.op"() {k = sparse<[0], [1]> : tensor<4xi32>} : () -> ()
"text.op"() {k = sparse<[[0], [1]], 7> : tensor<4xi32>} : () -> ()
"text.op"() {k = sparse<> : tensor<4xi32>} : () -> ()
"text.op"() {k = sparse<[[0, 0], [1, 2]], ["a", "b"]> : tensor<3x4x!foo.s>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<[[0, 0], [1, 2]], [1.000000e+00, 5.000000e+00]> : tensor<3x4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<0, 1> : tensor<1xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<0, 1> : tensor<4xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<[[0], [1]], 7> : tensor<4xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<> : tensor<4xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = sparse<[[0, 0], [1, 2]], ["a", "b"]> : tensor<3x4x!foo.s>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
