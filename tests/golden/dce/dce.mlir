// RUN: echo-opt %s --dce --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: f32)
// CHECK-NEXT:    %[[USED:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT:    return %[[USED]] : f32
func.func @chain(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  %1 = arith.addf %0, %x : f32
  %2 = arith.addf %1, %1 : f32
  return %0 : f32
}

// An effect inside keeps the op around it, and what it needs.
// CHECK-LABEL: func.func @regions
// CHECK:         scf.if
// CHECK-NEXT:      %[[NEEDED:.*]] = arith.addf
// CHECK-NEXT:      "test.effect"(%[[NEEDED]])
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @regions(%c: i1, %x: f32) {
  scf.if %c {
    %0 = arith.addf %x, %x : f32
    %1 = arith.mulf %x, %x : f32
    "test.effect"(%0) : (f32) -> ()
  }
  scf.if %c {
    %0 = arith.addf %x, %x : f32
  }
  return
}

// Nothing needs the values of these two but each other.
// CHECK-LABEL: func.func @circle
// CHECK:       ^bb1:
// CHECK-NEXT:    "test.br"()[^bb1]
func.func @circle(%x: i32) {
  "test.br"()[^bb1] : () -> ()
^bb1:
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %x : i32
  "test.br"()[^bb1] : () -> ()
}

// Dead memory: reads and allocations go, writes stay.
// CHECK-LABEL: func.func @memory
// CHECK-NOT:     memref.load
// CHECK:         memref.store
func.func @memory(%m: memref<4xf32>, %i: index, %x: f32) {
  %0 = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  return
}
