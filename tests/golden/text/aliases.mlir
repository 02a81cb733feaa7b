// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Aliases of types and attributes: resolved for what they stand for, given again for what MLIR gives them to.

#map = affine_map<(d0) -> (d0 + 1)>
#other = affine_map<(d0, d1) -> (d1)>
#set = affine_set<(d0) : (d0 >= 0)>
#number = 5 : i32
#opaque = #text.thing<4>
!t = tensor<4xf32>
!o = !text.type<x>
"text.op"() {a = #map, b = #other, c = #set, d = #number, e = #opaque, f = !t, g = !o} : () -> ()
"text.op"() {a = memref<4xi32, #map>, b = [#other, #map], c = {x = #set}} : () -> ()
%0 = "text.op"() : () -> tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
%1 = "text.op"() : () -> !t
"text.use"(%1) : (!t) -> ()

//      CHECK{LITERAL}:!tuple = tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
// CHECK-NEXT{LITERAL}:#map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT{LITERAL}:#map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT{LITERAL}:#set = affine_set<(d0) : (d0 >= 0)>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #map, b = #map1, c = #set, d = 5 : i32, e = #text.thing<4>, f = tensor<4xf32>, g = !text.type<x>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = memref<4xi32, #map>, b = [#map1, #map], c = {x = #set}} : () -> ()
// CHECK-NEXT{LITERAL}:  %0 = "text.op"() : () -> !tuple
// CHECK-NEXT{LITERAL}:  %1 = "text.op"() : () -> tensor<4xf32>
// CHECK-NEXT{LITERAL}:  "text.use"(%1) : (tensor<4xf32>) -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
