// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Integers without bits: lists of them are never one value for all.

"text.op"() {a = 0 : i0, b = 0 : si0, c = array<i0: 0, 0>, d = array<i0>} : () -> ()
"text.op"() {a = dense<0> : tensor<2xi0>, b = dense<[0, 0]> : vector<2xi0>, c = dense<> : tensor<0xi0>} : () -> ()
"text.op"() {a = dense<(0, 0)> : tensor<2xcomplex<i0>>, b = dense<"0x"> : tensor<2xi0>} : () -> ()
"text.op"() {a = dense<0> : tensor<101xi0>, b = dense<"0x"> : tensor<101xcomplex<i0>>} : () -> ()
"text.op"() {a = sparse<[[0]], [0]> : tensor<2xi0>, b = sparse<> : tensor<4xi0>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {a = 0 : i0, b = 0 : si0, c = array<i0: 0, 0>, d = array<i0>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = dense<[0, 0]> : tensor<2xi0>, b = dense<[0, 0]> : vector<2xi0>, c = dense<> : tensor<0xi0>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = dense<[(0,0), (0,0)]> : tensor<2xcomplex<i0>>, b = dense<[0, 0]> : tensor<2xi0>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = dense<"0x"> : tensor<101xi0>, b = dense<"0x"> : tensor<101xcomplex<i0>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = sparse<0, [0]> : tensor<2xi0>, b = sparse<> : tensor<4xi0>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
