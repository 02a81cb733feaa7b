// RUN: echo-opt %s --cse --allow-unregistered-dialect | FileCheck %s

// A block's values are at hand in the blocks it dominates. Ops without a row are never merged.
// CHECK-LABEL: func.func @diamond
// CHECK:         %[[TOP:.*]] = stablehlo.add
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[TOP]])
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[LEFT:.*]] = stablehlo.multiply
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[LEFT]])
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[RIGHT:.*]] = stablehlo.multiply
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[RIGHT]])
// CHECK:       ^bb3:
// CHECK-NEXT:    %[[JOIN:.*]] = stablehlo.multiply
// CHECK-NEXT:    "test.use"(%[[TOP]], %[[JOIN]])
// CHECK-NEXT:    "test.get"
// CHECK-NEXT:    "test.get"
func.func @diamond(%c: i1, %a: tensor<i32>, %b: tensor<i32>) {
  %0 = stablehlo.add %a, %b : tensor<i32>
  "test.use"(%0, %0) : (tensor<i32>, tensor<i32>) -> ()
  "test.cond_br"(%c)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  %1 = stablehlo.add %a, %b : tensor<i32>
  %2 = stablehlo.multiply %a, %b : tensor<i32>
  "test.use"(%1, %2) : (tensor<i32>, tensor<i32>) -> ()
  "test.br"()[^bb3] : () -> ()
^bb2:
  %3 = stablehlo.add %b, %a : tensor<i32>
  %4 = stablehlo.multiply %a, %b : tensor<i32>
  "test.use"(%3, %4) : (tensor<i32>, tensor<i32>) -> ()
  "test.br"()[^bb3] : () -> ()
^bb3:
  %5 = stablehlo.add %a, %b : tensor<i32>
  %6 = stablehlo.multiply %a, %b : tensor<i32>
  "test.use"(%5, %6) : (tensor<i32>, tensor<i32>) -> ()
  %7 = "test.get"() : () -> tensor<i32>
  %8 = "test.get"() : () -> tensor<i32>
  return
}
