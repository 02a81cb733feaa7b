// RUN: echo-opt %s --cse --allow-unregistered-dialect | FileCheck %s

// A block's values are at hand in the blocks it dominates. Ops without a row are never merged.
// CHECK-LABEL: func.func @diamond
// CHECK:         %[[TOP:.*]] = arith.addi
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[TOP]])
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[LEFT:.*]] = arith.muli
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[LEFT]])
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.muli
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[RIGHT]])
// CHECK:       ^bb3:
// CHECK-NEXT:    %[[JOIN:.*]] = arith.muli
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[JOIN]])
// CHECK-NEXT:    "test.get"
// CHECK-NEXT:    "test.get"
func.func @diamond(%c: i1, %a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  "test.use"(%0, %0) : (i32, i32) -> ()
  "test.cond_br"(%c)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  %1 = arith.addi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  "test.use"(%1, %2) : (i32, i32) -> ()
  "test.br"()[^bb3] : () -> ()
^bb2:
  %3 = arith.addi %b, %a : i32
  %4 = arith.muli %a, %b : i32
  "test.use"(%3, %4) : (i32, i32) -> ()
  "test.br"()[^bb3] : () -> ()
^bb3:
  %5 = arith.addi %a, %b : i32
  %6 = arith.muli %a, %b : i32
  "test.use"(%5, %6) : (i32, i32) -> ()
  %7 = "test.get"() : () -> i32
  %8 = "test.get"() : () -> i32
  return
}
