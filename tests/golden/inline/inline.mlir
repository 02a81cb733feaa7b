// RUN: echo-opt %s --inline --split-input-file | FileCheck %s
// RUN: echo-opt %s --inline --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: f32)
// CHECK-NEXT:    %[[A:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT:    %[[B:.*]] = arith.mulf %[[A]], %[[X]] : f32
// CHECK-NEXT:    %[[C:.*]] = arith.addf %[[B]], %[[B]] : f32
// CHECK-NEXT:    return %[[C]] : f32
// LOC-LABEL:   func.func @main
// LOC:           arith.addf {{.*}} loc(callsite(callsite("body" at "call") at
func.func @main(%x: f32) -> f32 {
  %0 = call @scale(%x) : (f32) -> f32
  %1 = call @double(%0) : (f32) -> f32
  return %1 : f32
}
func.func private @scale(%x: f32) -> f32 {
  %0 = call @double(%x) : (f32) -> f32 loc("call")
  %1 = arith.mulf %0, %x : f32
  return %1 : f32
}
func.func private @double(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32 loc("body")
  return %0 : f32
}

// -----

// Calls in a circle and of declarations stay.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[A:.*]] = call @declared
// CHECK:         call @loop
func.func private @declared(i32) -> i32
func.func @main(%x: i32) -> i32 {
  %0 = call @declared(%x) : (i32) -> i32
  %1 = call @loop(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @loop(%x: i32) -> i32 {
  %0 = call @loop(%x) : (i32) -> i32
  return %0 : i32
}

// -----

// Into regions, and bodies with regions.
// CHECK-LABEL: func.func @main
// CHECK:         scf.if
// CHECK-NEXT:      %[[I:.*]] = scf.if
// CHECK:           scf.yield %[[I]]
// CHECK:         return
func.func @main(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = func.call @choose(%c, %x) : (i1, f32) -> f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}
func.func private @choose(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = arith.negf %x : f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}

// -----

// Who says so is left alone.
// CHECK-LABEL: func.func @main
// CHECK:         call @kept
func.func @main() {
  call @kept() : () -> ()
  return
}
"func.func"() <{sym_name = "kept", function_type = () -> (), sym_visibility = "private", no_inline}> ({
  "func.return"() : () -> ()
}) : () -> ()
