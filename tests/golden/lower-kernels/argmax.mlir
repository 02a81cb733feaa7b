// A reduction in order of many rows goes in vectors of rows, 64 of them at a time: what is so far stands in memory, an element for each row, and so do
// 16 elements of each row, which are computed along it. Places that are counted need no memory.
// RUN: echo-opt %s --to=loops --mlir-print-op-generic -o - | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --threads=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --threads=2 --expect=%t.npz --rtol=0 --atol=0 --quiet
// CHECK-LABEL: sym_name = "row_reduce_0"
// CHECK:     %[[VALUES:.*]] = "memref.alloca"() {{.*}} -> memref<64xf32>
// CHECK:     %[[TILE:.*]] = "memref.alloca"() {{.*}} -> memref<64x16xf32>
// CHECK-NOT: memref<64x16xi32>
// CHECK:     %[[PLACES:.*]] = "memref.alloca"() {{.*}} -> memref<64xi32>
// CHECK:     %[[PRODUCT:.*]] = "arith.mulf"
// CHECK:     "memref.store"(%[[PRODUCT]], %[[TILE]], %[[ROW:.*]], %[[ELEMENT:.*]])
// CHECK:     {kernel.parallel}
// CHECK:     ^bb0(%[[STEP:.*]]: index):
// CHECK:     ^bb0(%[[LANE:.*]]: index):
// CHECK-DAG: "memref.load"(%[[VALUES]], %[[LANE]])
// CHECK-DAG: "memref.load"(%[[TILE]], %[[LANE]], %[[STEP]])
// CHECK-DAG: "memref.load"(%[[PLACES]], %[[LANE]])
// CHECK:     {kernel.parallel}
func.func @main(%x: tensor<100x200xf32>) -> (tensor<100xf32>, tensor<100xi32>) {
  %two = stablehlo.constant dense<2.0> : tensor<100x200xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.multiply %x, %two : tensor<100x200xf32>
  %places = stablehlo.iota dim = 1 : tensor<100x200xi32>
  %1:2 = stablehlo.reduce(%0 init: %low), (%places init: %first) across dimensions = [1] : (tensor<100x200xf32>, tensor<100x200xi32>, tensor<f32>, tensor<i32>) -> (tensor<100xf32>, tensor<100xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %2 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %4 = stablehlo.select %2, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }
  return %1#0, %1#1 : tensor<100xf32>, tensor<100xi32>
}
