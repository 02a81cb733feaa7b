// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Memref types: identity layouts and memory space 0 are not written.

"text.op"() {k = memref<4xf32>} : () -> ()
"text.op"() {k = memref<?x4xf32, 1>} : () -> ()
"text.op"() {k = memref<4xf32, 0>} : () -> ()
"text.op"() {k = memref<4x5xf32, affine_map<(d0, d1)[s0] -> (d0, d1)>>} : () -> ()
"text.op"() {k = memref<4xf32, 0 : i32>} : () -> ()
"text.op"() {k = memref<4xf32, "space">} : () -> ()
"text.op"() {k = memref<*xf32>} : () -> ()
"text.op"() {k = memref<*xf32, 2>} : () -> ()
"text.op"() {k = memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>} : () -> ()
"text.op"() {k = memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>} : () -> ()
"text.op"() {k = memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1>} : () -> ()
"text.op"() {k = memref<4x4xf32, strided<[4, 1]>>} : () -> ()
"text.op"() {k = memref<4x4xf32, strided<[?, 1], offset: ?>>} : () -> ()
"text.op"() {k = memref<4x4xf32, strided<[4, 1], offset: 0>, 3>} : () -> ()
"text.op"() {k = memref<f32>} : () -> ()
"text.op"() {k = memref<4xmemref<4xf32>>} : () -> ()
"text.op"() {k = memref<4xvector<4xf32>>} : () -> ()

//      CHECK{LITERAL}:#map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<?x4xf32, 1>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x5xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xf32, "space">} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<*xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<*xf32, 2>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32, #map>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32, #map, 1>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32, strided<[4, 1]>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32, strided<[?, 1], offset: ?>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4x4xf32, strided<[4, 1]>, 3>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<f32>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xmemref<4xf32>>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = memref<4xvector<4xf32>>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
