// RUN: echo-opt %s --dce --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[USED:.*]] = stablehlo.multiply %[[X]], %[[X]] : tensor<f32>
// CHECK-NEXT:    return %[[USED]] : tensor<f32>
func.func @chain(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.add %0, %x : tensor<f32>
  %2 = stablehlo.add %1, %1 : tensor<f32>
  return %0 : tensor<f32>
}

// An effect inside keeps the op around it, and what it needs; not its result, which nobody reads.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    "stablehlo.if"
// CHECK-NEXT:      %[[NEEDED:.*]] = stablehlo.add
// CHECK-NEXT:      "test.effect"(%[[NEEDED]])
// CHECK-NEXT:      stablehlo.return
// CHECK-NEXT:    }, {
// CHECK-NEXT:      stablehlo.return
// CHECK-NEXT:    })
// CHECK-NEXT:    return
func.func @regions(%c: tensor<i1>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%c) ({
    %2 = stablehlo.add %x, %x : tensor<f32>
    %3 = stablehlo.multiply %x, %x : tensor<f32>
    "test.effect"(%2) : (tensor<f32>) -> ()
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "stablehlo.if"(%c) ({
    %2 = stablehlo.add %x, %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// Nothing needs the values of these two but each other.
// CHECK-LABEL: func.func @circle
// CHECK:       ^bb1:
// CHECK-NEXT:    "test.br"()[^bb1]
func.func @circle(%x: tensor<i32>) {
  "test.br"()[^bb1] : () -> ()
^bb1:
  %0 = stablehlo.add %x, %x : tensor<i32>
  %1 = stablehlo.multiply %0, %x : tensor<i32>
  "test.br"()[^bb1] : () -> ()
}

// Dead memory: reads go, writes stay.
// CHECK-LABEL: func.func @memory
// CHECK-NOT:     memref.load
// CHECK:         memref.store
func.func @memory(%m: memref<4xf32>, %i: index, %x: f32) {
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, index) -> f32
  "memref.store"(%x, %m, %i) : (f32, memref<4xf32>, index) -> ()
  return
}
