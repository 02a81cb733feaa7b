// A reduction of several values in order takes in what those are made of, as one of a single value does: places that are counted are no value of
// their own, nor is what is compared. Of a few results, what is computed is computed a block of 64 elements at a time, in vectors, before the block is gone through.
// RUN: echo-opt %s --to=kernels -o - | FileCheck %s
// RUN: echo-opt %s --to=loops --mlir-print-op-generic -o - | FileCheck %s --check-prefix=LOOPS
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --rtol=0 --atol=0 --quiet
// CHECK:     (tensor<8x200xf32>) -> (tensor<8xf32>, tensor<8xi32>), kind = "row_reduce"
// CHECK-NOT: tensor<8x200xi32>
// CHECK:     stablehlo.multiply
// CHECK:     stablehlo.iota
// CHECK:     kernel.return
// CHECK-NOT: kernel.func

// LOOPS:      %[[BLOCK:.*]] = "memref.alloca"() {{.*}} -> memref<64xf32>
// LOOPS-NOT:  memref<64xi32>
// LOOPS:      "memref.store"(%{{.*}}, %[[BLOCK]], %{{.*}})
// LOOPS:      {kernel.parallel}
// LOOPS:      "memref.load"(%[[BLOCK]], %{{.*}})
func.func @main(%x: tensor<8x200xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %two = stablehlo.constant dense<2.0> : tensor<8x200xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.multiply %x, %two : tensor<8x200xf32>
  %places = stablehlo.iota dim = 1 : tensor<8x200xi32>
  %1:2 = stablehlo.reduce(%0 init: %low), (%places init: %first) across dimensions = [1] : (tensor<8x200xf32>, tensor<8x200xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %2 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %4 = stablehlo.select %2, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xi32>
}
