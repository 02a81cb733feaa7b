// RUN: echo-opt %s --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    %[[C:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    return %[[C]], %[[C]] : i32, i32
func.func @constants() -> (i32, i32) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 1 : i32
  return %0, %1 : i32, i32
}

// Other values, other types: kept apart.
// CHECK-LABEL: func.func @different_constants
// CHECK-COUNT-3: arith.constant
func.func @different_constants() -> (i32, i32, i64) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.constant 1 : i64
  return %0, %1, %2 : i32, i32, i64
}

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT:    %[[ADD:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:    %[[MUL:.*]] = arith.mulf %[[ADD]], %[[A]] : f32
// CHECK-NEXT:    return %[[MUL]], %[[MUL]] : f32, f32
func.func @chain(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %a, %b : f32
  %2 = arith.mulf %0, %a : f32
  %3 = arith.mulf %1, %a : f32
  return %2, %3 : f32, f32
}

// The two orders of a commutative op are one; those of another are two.
// CHECK-LABEL: func.func @commutative
// CHECK-NEXT:    %[[ADD:.*]] = arith.addi
// CHECK-NEXT:    %[[AB:.*]] = arith.subi
// CHECK-NEXT:    %[[BA:.*]] = arith.subi
// CHECK-NEXT:    return %[[ADD]], %[[ADD]], %[[AB]], %[[BA]]
func.func @commutative(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.subi %a, %b : i32
  %3 = arith.subi %b, %a : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: func.func @attributes
// CHECK-NEXT:    %[[LESS:.*]] = arith.cmpi slt
// CHECK-NEXT:    %[[MORE:.*]] = arith.cmpi sgt
// CHECK-NEXT:    return %[[LESS]], %[[MORE]], %[[LESS]]
func.func @attributes(%a: i32, %b: i32) -> (i1, i1, i1) {
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi sgt, %a, %b : i32
  %2 = arith.cmpi slt, %a, %b : i32
  return %0, %1, %2 : i1, i1, i1
}

// -----

// What is at hand outside is at hand inside a region, not the other way round.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %[[OUTER:.*]] = arith.addf
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      %[[INNER:.*]] = arith.mulf
// CHECK-NEXT:      scf.yield %[[OUTER]], %[[INNER]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[OTHER:.*]] = arith.mulf
// CHECK-NEXT:      scf.yield %[[OTHER]], %[[OTHER]]
func.func @regions(%c: i1, %a: f32, %b: f32) -> (f32, f32, f32) {
  %0 = arith.addf %a, %b : f32
  %1:2 = scf.if %c -> (f32, f32) {
    %2 = arith.addf %a, %b : f32
    %3 = arith.mulf %a, %b : f32
    scf.yield %2, %3 : f32, f32
  } else {
    %2 = arith.mulf %a, %b : f32
    %3 = arith.mulf %b, %a : f32
    scf.yield %2, %3 : f32, f32
  }
  return %0, %1#0, %1#1 : f32, f32, f32
}

// Functions are isolated: each keeps its own.
// CHECK-LABEL: func.func @first
// CHECK:         arith.constant 5
// CHECK-LABEL: func.func @second
// CHECK:         arith.constant 5
func.func @first() -> i32 {
  %0 = arith.constant 5 : i32
  return %0 : i32
}
func.func @second() -> i32 {
  %0 = arith.constant 5 : i32
  return %0 : i32
}
