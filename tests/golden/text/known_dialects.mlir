// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Properties of ops of MLIR's own dialects print aliases; those of unknown dialects do not.

#map = affine_map<(d0, d1) -> (d0, d1)>
#other = affine_map<(d0) -> (d0 + 1)>
%0 = "tensor.empty"() : () -> tensor<4x8xf32>
%1 = "linalg.generic"(%0, %0) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%a: f32, %b: f32):
  "linalg.yield"(%a) : (f32) -> ()
}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
"text.op"() <{m = #other}> : () -> ()

//      CHECK{LITERAL}:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  %0 = "tensor.empty"() : () -> tensor<4x8xf32>
// CHECK-NEXT{LITERAL}:  %1 = "linalg.generic"(%0, %0) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
// CHECK-NEXT{LITERAL}:  ^bb0(%arg0: f32, %arg1: f32):
// CHECK-NEXT{LITERAL}:    "linalg.yield"(%arg0) : (f32) -> ()
// CHECK-NEXT{LITERAL}:  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT{LITERAL}:  "text.op"() <{m = affine_map<(d0) -> (d0 + 1)>}> : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
