// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Comments and white space anywhere between tokens.

// first
"text.op"  (  )   {  k=1:i32,l  }:(  )->(  ) // behind
"text.op"
  // between
  ()
  {k = tensor< 4x8xf32 >, m = dense< [ 1 , // one
    2 ] > : tensor<2xi32>}
  : ()
  -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = 1 : i32, l} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4x8xf32>, m = dense<[1, 2]> : tensor<2xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
