// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Elements of scalable vectors: as many as the numbers in the type say.

%0 = "arith.constant"() <{value = dense<1> : vector<[4]x[4]xi32>}> : () -> vector<[4]x[4]xi32>
%1 = "arith.constant"() <{value = dense<true> : vector<[16]xi1>}> : () -> vector<[16]xi1>
"text.op"() {a = dense<2.5> : vector<2x[4]xf32>, b = dense<[1, 2]> : vector<[2]xi8>, c = dense<7> : vector<[16]x[16]xi64>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  %0 = "arith.constant"() <{value = dense<1> : vector<[4]x[4]xi32>}> : () -> vector<[4]x[4]xi32>
// CHECK-NEXT{LITERAL}:  %1 = "arith.constant"() <{value = dense<true> : vector<[16]xi1>}> : () -> vector<[16]xi1>
// CHECK-NEXT{LITERAL}:  "text.op"() {a = dense<2.500000e+00> : vector<2x[4]xf32>, b = dense<[1, 2]> : vector<[2]xi8>, c = dense<7> : vector<[16]x[16]xi64>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
