// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Integer sets.

"text.op"() {k = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>} : () -> ()
"text.op"() {k = affine_set<(d0) : (d0 == 0)>} : () -> ()
"text.op"() {k = affine_set<(d0, d1) : (d0 <= d1)>} : () -> ()
"text.op"() {k = affine_set<(d0) : (1 == 0)>} : () -> ()
"text.op"() {k = affine_set<(d0) : ()>} : () -> ()
"text.op"() {k = affine_set<(d0, d1) : (d0 + 1 == d1 * 2, d0 >= 4)>} : () -> ()

//      CHECK{LITERAL}:#set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
// CHECK-NEXT{LITERAL}:#set1 = affine_set<(d0) : (d0 == 0)>
// CHECK-NEXT{LITERAL}:#set2 = affine_set<(d0, d1) : (d1 - d0 >= 0)>
// CHECK-NEXT{LITERAL}:#set3 = affine_set<(d0) : (1 == 0)>
// CHECK-NEXT{LITERAL}:#set4 = affine_set<(d0) : (0 == 0)>
// CHECK-NEXT{LITERAL}:#set5 = affine_set<(d0, d1) : (d0 - d1 * 2 + 1 == 0, d0 - 4 >= 0)>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set1} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set2} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set4} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #set5} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
