// RUN: echo-opt %s --cse | FileCheck %s

// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:    return %[[C]], %[[C]]
func.func @constants() -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// Other values, other types: kept apart.
// CHECK-LABEL: func.func @different_constants
// CHECK-COUNT-3: stablehlo.constant
func.func @different_constants() -> (tensor<i32>, tensor<i32>, tensor<i64>) {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.constant dense<1> : tensor<i64>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<i64>
}

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[SUB:.*]] = stablehlo.subtract %[[A]], %[[B]]
// CHECK-NEXT:    %[[DIV:.*]] = stablehlo.divide %[[SUB]], %[[A]]
// CHECK-NEXT:    return %[[DIV]], %[[DIV]]
func.func @chain(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.subtract %a, %b : tensor<f32>
  %1 = stablehlo.subtract %a, %b : tensor<f32>
  %2 = stablehlo.divide %0, %a : tensor<f32>
  %3 = stablehlo.divide %1, %a : tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}

// The two orders of a commutative op are one; those of another are two.
// CHECK-LABEL: func.func @commutative
// CHECK-NEXT:    %[[ADD:.*]] = stablehlo.add
// CHECK-NEXT:    %[[AB:.*]] = stablehlo.subtract
// CHECK-NEXT:    %[[BA:.*]] = stablehlo.subtract
// CHECK-NEXT:    return %[[ADD]], %[[ADD]], %[[AB]], %[[BA]]
func.func @commutative(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.add %a, %b : tensor<i32>
  %1 = stablehlo.add %b, %a : tensor<i32>
  %2 = stablehlo.subtract %a, %b : tensor<i32>
  %3 = stablehlo.subtract %b, %a : tensor<i32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @attributes
// CHECK-NEXT:    %[[LESS:.*]] = stablehlo.compare LT
// CHECK-NEXT:    %[[MORE:.*]] = stablehlo.compare GT
// CHECK-NEXT:    return %[[LESS]], %[[MORE]], %[[LESS]]
func.func @attributes(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// What is at hand outside is at hand inside a region, not the other way round.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %[[OUTER:.*]] = stablehlo.subtract
// CHECK-NEXT:    "stablehlo.if"
// CHECK-NEXT:      %[[INNER:.*]] = stablehlo.multiply
// CHECK-NEXT:      stablehlo.return %[[OUTER]], %[[INNER]]
// CHECK-NEXT:    }, {
// CHECK-NEXT:      %[[OTHER:.*]] = stablehlo.multiply
// CHECK-NEXT:      stablehlo.return %[[OTHER]], %[[OTHER]]
func.func @regions(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.subtract %a, %b : tensor<f32>
  %1:2 = "stablehlo.if"(%c) ({
    %2 = stablehlo.subtract %a, %b : tensor<f32>
    %3 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<f32>
  }, {
    %2 = stablehlo.multiply %a, %b : tensor<f32>
    %3 = stablehlo.multiply %b, %a : tensor<f32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
  return %0, %1#0, %1#1 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Functions are isolated: each keeps its own.
// CHECK-LABEL: func.func @first
// CHECK:         stablehlo.constant dense<5>
// CHECK-LABEL: func.func @second
// CHECK:         stablehlo.constant dense<5>
func.func @first() -> tensor<i32> {
  %0 = stablehlo.constant dense<5> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @second() -> tensor<i32> {
  %0 = stablehlo.constant dense<5> : tensor<i32>
  return %0 : tensor<i32>
}
