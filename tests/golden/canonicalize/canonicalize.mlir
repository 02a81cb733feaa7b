// RUN: echo-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    %[[C:.*]] = arith.constant 42 : i32
// CHECK-NEXT:    return %[[C]] : i32
func.func @constants() -> i32 {
  %0 = arith.constant 2 : i32
  %1 = arith.constant 5 : i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.constant 6 : i32
  %4 = arith.muli %2, %3 : i32
  return %4 : i32
}

// Constants go to the right of a commutative op and stay where they are in others.
// CHECK-LABEL: func.func @order
// CHECK-SAME:    (%[[X:.*]]: i32)
// CHECK:         %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %[[A:.*]] = arith.addi %[[X]], %[[C]] : i32
// CHECK-NEXT:    %[[S:.*]] = arith.subi %[[C]], %[[X]] : i32
// CHECK-NEXT:    return %[[A]], %[[S]]
func.func @order(%x: i32) -> (i32, i32) {
  %c = arith.constant 7 : i32
  %0 = arith.addi %c, %x : i32
  %1 = arith.subi %c, %x : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func.func @identities
// CHECK-SAME:    (%[[X:.*]]: i32, %[[F:.*]]: f32)
// CHECK-NEXT:    return %[[X]], %[[X]], %[[F]]
func.func @identities(%x: i32, %f: f32) -> (i32, i32, f32) {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.andi %x, %x : i32
  %2 = arith.negf %f : f32
  %3 = arith.negf %2 : f32
  return %0, %1, %3 : i32, i32, f32
}

// Inexact float arithmetic is the run time's.
// CHECK-LABEL: func.func @floats
// CHECK:         arith.addf
func.func @floats() -> f32 {
  %0 = arith.constant 0.1 : f32
  %1 = arith.constant 0.2 : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// Dead ops go, with what only they used; effects stay.
// CHECK-LABEL: func.func @dead
// CHECK-SAME:    (%[[X:.*]]: f32)
// CHECK-NEXT:    "test.effect"(%[[X]]) : (f32) -> ()
// CHECK-NEXT:    return
func.func @dead(%x: f32) {
  %0 = arith.mulf %x, %x : f32
  %1 = arith.addf %0, %x : f32
  "test.effect"(%x) : (f32) -> ()
  return
}

// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @unreachable(%x: i32) {
  return
^bb1:
  %0 = arith.addi %x, %x : i32
  "test.use"(%1) : (i32) -> ()
  "test.br"()[^bb2] : () -> ()
^bb2:
  %1 = arith.addi %0, %x : i32
  "test.br"()[^bb1] : () -> ()
}

// An op keeps what was said about the op it replaces.
// CHECK-LABEL: func.func @phase
// CHECK-NEXT:    arith.constant {echo.phase = "backward"} 3 : i32
func.func @phase() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %1 {echo.phase = "backward"} : i32
  return %2 : i32
}
