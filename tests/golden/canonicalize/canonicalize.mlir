// RUN: echo-opt %s --canonicalize --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s

// CHECK-LABEL: sym_name = "constants"
// CHECK-NEXT:    %[[C:.*]] = "arith.constant"() <{value = 42 : i32}>
// CHECK-NEXT:    "func.return"(%[[C]])
func.func @constants() -> i32 {
  %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
  %1 = "arith.constant"() <{value = 5 : i32}> : () -> i32
  %2 = "arith.addi"(%0, %1) : (i32, i32) -> i32
  %3 = "arith.constant"() <{value = 6 : i32}> : () -> i32
  %4 = "arith.muli"(%2, %3) : (i32, i32) -> i32
  return %4 : i32
}

// Constants go to the right of a commutative op and stay where they are in others.
// CHECK-LABEL: sym_name = "order"
// CHECK-NEXT:  ^bb0(%[[X:.*]]: i32):
// CHECK-NEXT:    %[[C:.*]] = "arith.constant"() <{value = 7 : i32}>
// CHECK-NEXT:    %[[A:.*]] = "arith.addi"(%[[X]], %[[C]])
// CHECK-NEXT:    %[[S:.*]] = "arith.subi"(%[[C]], %[[X]])
// CHECK-NEXT:    "func.return"(%[[A]], %[[S]])
func.func @order(%x: i32) -> (i32, i32) {
  %c = "arith.constant"() <{value = 7 : i32}> : () -> i32
  %0 = "arith.addi"(%c, %x) : (i32, i32) -> i32
  %1 = "arith.subi"(%c, %x) : (i32, i32) -> i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: sym_name = "identities"
// CHECK-NEXT:  ^bb0(%[[X:.*]]: i32, %[[F:.*]]: f32):
// CHECK-NEXT:    "func.return"(%[[X]], %[[X]], %[[F]])
func.func @identities(%x: i32, %f: f32) -> (i32, i32, f32) {
  %c0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
  %0 = "arith.addi"(%x, %c0) : (i32, i32) -> i32
  %1 = "arith.andi"(%x, %x) : (i32, i32) -> i32
  %2 = "arith.negf"(%f) : (f32) -> f32
  %3 = "arith.negf"(%2) : (f32) -> f32
  return %0, %1, %3 : i32, i32, f32
}

// What is correctly rounded is the same everywhere; a NaN's bits and an elementary function's last place are the run time's.
// CHECK-LABEL: sym_name = "floats"
// CHECK-DAG:     %[[SUM:.*]] = "arith.constant"() <{value = 3.000000e-01 : f32}>
// CHECK-DAG:     %[[NAN:.*]] = "arith.divf"
// CHECK-DAG:     %[[EXP:.*]] = "math.exp"
// CHECK:         "func.return"(%[[SUM]], %[[NAN]], %[[EXP]])
func.func @floats() -> (f32, f32, f32) {
  %0 = "arith.constant"() <{value = 0.1 : f32}> : () -> f32
  %1 = "arith.constant"() <{value = 0.2 : f32}> : () -> f32
  %2 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
  %3 = "arith.addf"(%0, %1) : (f32, f32) -> f32
  %4 = "arith.divf"(%2, %2) : (f32, f32) -> f32
  %5 = "math.exp"(%0) : (f32) -> f32
  return %3, %4, %5 : f32, f32, f32
}

// Dead ops go, with what only they used; effects stay.
// CHECK-LABEL: sym_name = "dead"
// CHECK-NEXT:  ^bb0(%[[X:.*]]: f32):
// CHECK-NEXT:    "test.effect"(%[[X]]) : (f32) -> ()
// CHECK-NEXT:    "func.return"()
func.func @dead(%x: f32) {
  %0 = "arith.mulf"(%x, %x) : (f32, f32) -> f32
  %1 = "arith.addf"(%0, %x) : (f32, f32) -> f32
  "test.effect"(%x) : (f32) -> ()
  return
}

// CHECK-LABEL: sym_name = "unreachable"
// CHECK-NEXT:  ^bb0(
// CHECK-NEXT:    "func.return"()
// CHECK-NEXT:  })
func.func @unreachable(%x: i32) {
  return
^bb1:
  %0 = "arith.addi"(%x, %x) : (i32, i32) -> i32
  "test.use"(%1) : (i32) -> ()
  "test.br"()[^bb2] : () -> ()
^bb2:
  %1 = "arith.addi"(%0, %x) : (i32, i32) -> i32
  "test.br"()[^bb1] : () -> ()
}

// An op keeps what was said about the op it replaces.
// CHECK-LABEL: sym_name = "phase"
// CHECK-NEXT:    "arith.constant"() <{value = 3 : i32}> {echo.phase = "backward"}
func.func @phase() -> i32 {
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
  %1 = "arith.constant"() <{value = 2 : i32}> : () -> i32
  %2 = "arith.addi"(%0, %1) {echo.phase = "backward"} : (i32, i32) -> i32
  return %2 : i32
}

// A barrier is not looked through.
// CHECK-LABEL: sym_name = "barrier"
// CHECK:         "stablehlo.optimization_barrier"
func.func @barrier(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.optimization_barrier %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  return %2 : tensor<f32>
}
