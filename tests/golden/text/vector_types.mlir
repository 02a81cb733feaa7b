// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Vector types, scalable dimensions too.

"text.op"() {k = vector<4xf32>} : () -> ()
"text.op"() {k = vector<[4]xf32>} : () -> ()
"text.op"() {k = vector<2x[4]xi32>} : () -> ()
"text.op"() {k = vector<[2]x[4]xi32>} : () -> ()
"text.op"() {k = vector<f32>} : () -> ()
"text.op"() {k = vector<4xindex>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<[4]xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<2x[4]xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<[2]x[4]xi32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<f32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = vector<4xindex>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
