// RUN: echo-opt %s --sink-transposes | FileCheck %s
// RUN: echo-opt %s --sink-transposes --sink-transposes | FileCheck %s
// RUN: echo-opt %s --sink-transposes --verify-roundtrip -o /dev/null
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=STEP

// A reduction over the first dimension of what was transposed is one over the last of what there was.
// CHECK-LABEL: func.func @columns
// STEP-LABEL:  func.func @columns
// STEP-NEXT:   stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1]
func.func @columns(%x: tensor<8x16xf32>, %init: tensor<f32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1]
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Through maps: what they read beside it is had in the other order; a scalar has none. Two readers, two reductions.
// CHECK-LABEL: func.func @mapped
func.func @mapped(%x: tensor<4x6x8xbf16>, %v: tensor<8xf32>, %p: tensor<i1>) -> (tensor<f32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK:     %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<4x6x8xbf16>) -> tensor<8x4x6xbf16>
  %1 = stablehlo.convert %0 : (tensor<8x4x6xbf16>) -> tensor<8x4x6xf32>
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<8xf32>) -> tensor<4x6x8xf32>
  // CHECK:     %[[SUM:.*]] = stablehlo.add %[[WIDE]], %[[ROW]]
  %2 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<8xf32>) -> tensor<8x4x6xf32>
  %3 = stablehlo.add %1, %2 : tensor<8x4x6xf32>
  // CHECK-DAG: %[[IOTA:.*]] = stablehlo.iota dim = 2 : tensor<4x6x8xf32>
  // CHECK:     %[[CHOICE:.*]] = stablehlo.select %arg2, %[[SUM]], %[[IOTA]]
  %4 = stablehlo.iota dim = 0 : tensor<8x4x6xf32>
  %5 = stablehlo.select %p, %3, %4 : tensor<i1>, tensor<8x4x6xf32>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4x6x8xf32>
  // CHECK:     %[[DOUBLE:.*]] = stablehlo.multiply %[[CHOICE]], %[[TWO]]
  %two = stablehlo.constant dense<2.0> : tensor<8x4x6xf32>
  %6 = stablehlo.multiply %5, %two : tensor<8x4x6xf32>
  // CHECK:     stablehlo.reduce(%[[CHOICE]] init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1, 2]
  %7 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x4x6xf32>, tensor<f32>) -> tensor<f32>
  // CHECK:     stablehlo.reduce(%[[DOUBLE]] init: %{{.*}}) applies stablehlo.maximum across dimensions = [0, 2] {{.*}} -> tensor<6xf32>
  %8 = stablehlo.reduce(%6 init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x4x6xf32>, tensor<f32>) -> tensor<6xf32>
  // CHECK-NEXT: return
  return %7, %8 : tensor<f32>, tensor<6xf32>
}

// Kept dimensions that stood the other way round are turned in the result, which is smaller.
// CHECK-LABEL: func.func @kept
func.func @kept(%x: tensor<4x6x8xf32>, %init: tensor<f32>) -> tensor<8x6xf32> {
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {{.*}} -> tensor<6x8xf32>
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose %[[SUM]], dims = [1, 0]
  // CHECK-NEXT: return %[[TURNED]]
  %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<4x6x8xf32>) -> tensor<8x6x4xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [2] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// What is read in its transposed order too stays: there is such a value, and the sum goes through that in order.
// CHECK-LABEL: func.func @returned
func.func @returned(%x: tensor<8x16xf32>, %init: tensor<f32>) -> (tensor<16x8xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose
  // CHECK-NEXT: %[[MAP:.*]] = stablehlo.exponential %[[TURNED]]
  // CHECK-NEXT: stablehlo.reduce(%[[MAP]]
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.exponential %0 : tensor<16x8xf32>
  %2 = stablehlo.reduce(%1 init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<16x8xf32>, tensor<f32>
}

// Beside an operand that lies in the transposed order no order is better; the same of two that are transposed differently.
// CHECK-LABEL: func.func @beside
func.func @beside(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %init: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose
  // CHECK-NEXT: stablehlo.multiply %[[TURNED]], %arg1
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.multiply %0, %y : tensor<8x8xf32>
  %2 = stablehlo.reduce(%1 init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// CHECK-LABEL: func.func @differently
func.func @differently(%x: tensor<4x4x4xf32>, %init: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.transpose
  // CHECK-NEXT: stablehlo.transpose
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %1 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x4x4xf32>
  %3 = stablehlo.reduce(%2 init: %init) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// A body that is applied in order stays in its order; a transpose that moves nothing is none.
// CHECK-LABEL: func.func @ordered
func.func @ordered(%x: tensor<8x16xf32>, %y: tensor<1x16xf32>, %init: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK-COUNT-2: stablehlo.transpose
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.reduce(%0 init: %init) across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %4 = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  %2 = stablehlo.transpose %y, dims = [1, 0] : (tensor<1x16xf32>) -> tensor<16x1xf32>
  %3 = stablehlo.reduce(%2 init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
  return %1, %3 : tensor<f32>, tensor<f32>
}

// What is transposed outside of a loop stays there, and what is transposed in it is sunk in it.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<8x16xf32>, %init: tensor<f32>) -> tensor<f32> {
  // CHECK: stablehlo.transpose %arg0
  // CHECK: stablehlo.while
  // CHECK: %[[SUM:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>
  %outside = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<4> : tensor<i32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %sum = %init) : tensor<i32>, tensor<f32>
    cond {
    %2 = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.transpose %outside, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %3 = stablehlo.reduce(%2 init: %sum) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
