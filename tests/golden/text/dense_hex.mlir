// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Dense elements from hexadecimal bytes: little-endian, i1 as bits or as bytes, whole or one for all.

"text.op"() {k = dense<"0x0100000002000000"> : tensor<2xi32>} : () -> ()
"text.op"() {k = dense<"0x01000000"> : tensor<2xi32>} : () -> ()
"text.op"() {k = dense<"0x03"> : tensor<8xi1>} : () -> ()
"text.op"() {k = dense<"0xFF"> : tensor<8xi1>} : () -> ()
"text.op"() {k = dense<"0xFF"> : tensor<16xi1>} : () -> ()
"text.op"() {k = dense<"0x0302"> : tensor<12xi1>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<[1, 2]> : tensor<2xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<1> : tensor<2xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<[true, true, false, false, false, false, false, false]> : tensor<8xi1>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<true> : tensor<8xi1>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<true> : tensor<16xi1>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<[true, true, false, false, false, false, false, false, false, true, false, false]> : tensor<12xi1>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
