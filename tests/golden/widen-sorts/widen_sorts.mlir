// RUN: echo-opt %s --widen-sorts | FileCheck %s
// RUN: echo-opt %s --widen-sorts --widen-sorts | FileCheck %s
// RUN: echo-opt %s --widen-sorts --verify-roundtrip -o /dev/null

// Rows of 4 MB do not fit the stack: the operands come twice, and the comparator does not see it.
// CHECK-LABEL: func.func @long(
// CHECK:         %[[S:.*]]:4 = "stablehlo.sort"(%arg0, %arg1, %arg0, %arg1) <{dimension = 1 : i64, is_stable = true}>
// CHECK-NEXT:    ^bb0(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
// CHECK:           stablehlo.compare LT, %[[X]], %[[Y]]
// CHECK:         return %[[S]]#0, %[[S]]#1
func.func @long(%a: tensor<2x500000xf32>, %b: tensor<2x500000xi32>) -> (tensor<2x500000xf32>, tensor<2x500000xi32>) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<i32>, %w: tensor<i32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x500000xf32>, tensor<2x500000xi32>) -> (tensor<2x500000xf32>, tensor<2x500000xi32>)
  return %0#0, %0#1 : tensor<2x500000xf32>, tensor<2x500000xi32>
}

// CHECK-LABEL: func.func @short(
// CHECK:         "stablehlo.sort"(%arg0) <
func.func @short(%a: tensor<500000x2xf32>) -> tensor<500000x2xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<500000x2xf32>) -> tensor<500000x2xf32>
  return %0 : tensor<500000x2xf32>
}
