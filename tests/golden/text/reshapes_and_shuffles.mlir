// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// memref.collapse_shape down to no dimension, vector.shuffle of lanes and of subvectors, accesses to memrefs of vectors.

"func.func"() <{function_type = (memref<1x1xf32>, memref<4x?x3xf32>, vector<f32>, vector<4x8xf32>, memref<4xvector<8xf32>>, index) -> (), sym_name = "f"}> ({
^bb0(%a: memref<1x1xf32>, %b: memref<4x?x3xf32>, %v: vector<f32>, %w: vector<4x8xf32>, %m: memref<4xvector<8xf32>>, %i: index):
  %0 = "memref.collapse_shape"(%a) <{reassociation = []}> : (memref<1x1xf32>) -> memref<f32>
  %1 = "memref.collapse_shape"(%b) <{reassociation = [[0, 1], [2]]}> : (memref<4x?x3xf32>) -> memref<?x3xf32>
  %2 = "vector.shuffle"(%v, %v) <{mask = [0, 1, 0]}> : (vector<f32>, vector<f32>) -> vector<3xf32>
  %3 = "vector.shuffle"(%w, %w) <{mask = [0, 7, 3]}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<3x8xf32>
  %4 = "vector.load"(%m, %i) : (memref<4xvector<8xf32>>, index) -> vector<8xf32>
  "vector.store"(%4, %m, %i) : (vector<8xf32>, memref<4xvector<8xf32>>, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "func.func"() <{function_type = (memref<1x1xf32>, memref<4x?x3xf32>, vector<f32>, vector<4x8xf32>, memref<4xvector<8xf32>>, index) -> (), sym_name = "f"}> ({
// CHECK-NEXT{LITERAL}:  ^bb0(%arg0: memref<1x1xf32>, %arg1: memref<4x?x3xf32>, %arg2: vector<f32>, %arg3: vector<4x8xf32>, %arg4: memref<4xvector<8xf32>>, %arg5: index):
// CHECK-NEXT{LITERAL}:    %0 = "memref.collapse_shape"(%arg0) <{reassociation = []}> : (memref<1x1xf32>) -> memref<f32>
// CHECK-NEXT{LITERAL}:    %1 = "memref.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2]]}> : (memref<4x?x3xf32>) -> memref<?x3xf32>
// CHECK-NEXT{LITERAL}:    %2 = "vector.shuffle"(%arg2, %arg2) <{mask = [0, 1, 0]}> : (vector<f32>, vector<f32>) -> vector<3xf32>
// CHECK-NEXT{LITERAL}:    %3 = "vector.shuffle"(%arg3, %arg3) <{mask = [0, 7, 3]}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<3x8xf32>
// CHECK-NEXT{LITERAL}:    %4 = "vector.load"(%arg4, %arg5) : (memref<4xvector<8xf32>>, index) -> vector<8xf32>
// CHECK-NEXT{LITERAL}:    "vector.store"(%4, %arg4, %arg5) : (vector<8xf32>, memref<4xvector<8xf32>>, index) -> ()
// CHECK-NEXT{LITERAL}:    "func.return"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
