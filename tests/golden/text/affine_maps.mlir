// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Affine maps are simplified as they are read.

"text.op"() {k = affine_map<(d0, d1) -> (d0, d1)>} : () -> ()
"text.op"() {k = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2 - 1, d0 floordiv 4, d1 ceildiv 8, d0 mod 3)>} : () -> ()
"text.op"() {k = affine_map<() -> ()>} : () -> ()
"text.op"() {k = affine_map<() -> (0)>} : () -> ()
"text.op"() {k = affine_map<(i, j)[k] -> (i * -1 + j - k * 3)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> (-d0 + 2 + 3)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> ((d0 + 1) * 2)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> ((d0 * 4) floordiv 2)>} : () -> ()
"text.op"() {k = affine_map<(d0, d1) -> (d1 + d0 - d1)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> (d0 - d0)>} : () -> ()
"text.op"() {k = affine_map<(d0)[s0] -> (s0 + d0 + 5 + s0)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> (d0 mod 1, 7 mod 4, 9 floordiv 2, -9 floordiv 2, 9 ceildiv 2)>} : () -> ()
"text.op"() {k = affine_map<(d0)[s0, s1] -> (d0 * s0 + s1 * s1)>} : () -> ()
"text.op"() {k = affine_map<(d0, d1) -> (-(d0 + d1))>} : () -> ()
"text.op"() {k = affine_map<(d0, d1) -> (d0 - (d0 + d1))>} : () -> ()
"text.op"() {k = affine_map<(d0, d1) -> (5 - d0)>} : () -> ()
"text.op"() {k = affine_map<(d0, d1) -> (-2 * d0 - 4 * d1)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> (d0 mod 0, 5 floordiv 0, 5 mod 0, 5 ceildiv 0, d0 floordiv 0)>} : () -> ()
"text.op"() {k = affine_map<(d0) -> (d0 floordiv -2, 5 floordiv -2, 5 mod -3, 5 ceildiv -3)>} : () -> ()

//      CHECK{LITERAL}:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT{LITERAL}:#map1 = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2 - 1, d0 floordiv 4, d1 ceildiv 8, d0 mod 3)>
// CHECK-NEXT{LITERAL}:#map2 = affine_map<() -> ()>
// CHECK-NEXT{LITERAL}:#map3 = affine_map<() -> (0)>
// CHECK-NEXT{LITERAL}:#map4 = affine_map<(d0, d1)[s0] -> (-d0 + d1 - s0 * 3)>
// CHECK-NEXT{LITERAL}:#map5 = affine_map<(d0) -> (-d0 + 5)>
// CHECK-NEXT{LITERAL}:#map6 = affine_map<(d0) -> ((d0 + 1) * 2)>
// CHECK-NEXT{LITERAL}:#map7 = affine_map<(d0) -> (d0 * 2)>
// CHECK-NEXT{LITERAL}:#map8 = affine_map<(d0, d1) -> (d1 + d0 - d1)>
// CHECK-NEXT{LITERAL}:#map9 = affine_map<(d0) -> (0)>
// CHECK-NEXT{LITERAL}:#map10 = affine_map<(d0)[s0] -> (d0 + s0 + s0 + 5)>
// CHECK-NEXT{LITERAL}:#map11 = affine_map<(d0) -> (0, 3, 4, -5, 5)>
// CHECK-NEXT{LITERAL}:#map12 = affine_map<(d0)[s0, s1] -> (d0 * s0 + s1 * s1)>
// CHECK-NEXT{LITERAL}:#map13 = affine_map<(d0, d1) -> (-(d0 + d1))>
// CHECK-NEXT{LITERAL}:#map14 = affine_map<(d0, d1) -> (d0 - (d0 + d1))>
// CHECK-NEXT{LITERAL}:#map15 = affine_map<(d0, d1) -> (-d0 + 5)>
// CHECK-NEXT{LITERAL}:#map16 = affine_map<(d0, d1) -> (d0 * -2 - d1 * 4)>
// CHECK-NEXT{LITERAL}:#map17 = affine_map<(d0) -> (d0 mod 0, 5 floordiv 0, 5 mod 0, 5 ceildiv 0, d0 floordiv 0)>
// CHECK-NEXT{LITERAL}:#map18 = affine_map<(d0) -> (d0 floordiv -2, -3, 5 mod -3, -1)>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map1} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map2} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map4} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map5} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map6} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map7} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map8} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map9} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map10} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map11} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map12} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map13} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map14} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map15} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map16} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map17} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #map18} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
