// RUN: echo-opt --roll-loops --split-input-file %s | FileCheck %s

// Two of five iterations written out behind a loop of three, in the order that the dataflow leaves them: the loop goes on over them, the
// array that it reads is no longer taken apart, its stack needs no concatenation.
// CHECK-LABEL: func.func @forwards_0(
// CHECK-SAME:    %[[X:.*]]: tensor<5x4xf32>, %[[H:.*]]: tensor<1x4xf32>)
// CHECK-NOT:     stablehlo.slice
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[C:.*]] = %[[H]]) : tensor<i32>, tensor<5x4xf32>, tensor<1x4xf32>
// CHECK:           stablehlo.constant dense<5>
// CHECK:           stablehlo.dynamic_slice %[[X]], %[[I]],
// CHECK-NOT:     stablehlo.concatenate
// CHECK:         return %[[R:.*]]#1, %[[R]]#2
func.func @forwards(%x: tensor<5x4xf32>, %h: tensor<1x4xf32>) -> (tensor<5x4xf32>, tensor<1x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %first = stablehlo.slice %x [0:3, 0:4] : (tensor<5x4xf32>) -> tensor<3x4xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %c = %h) : tensor<i32>, tensor<3x4xf32>, tensor<1x4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r = stablehlo.dynamic_slice %first, %i, %zero, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %t = stablehlo.tanh %r : tensor<1x4xf32>
    %d = stablehlo.add %c, %t : tensor<1x4xf32>
    %u = stablehlo.dynamic_update_slice %s, %d, %i, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u, %d : tensor<i32>, tensor<3x4xf32>, tensor<1x4xf32>
  }
  %x4 = stablehlo.slice %x [4:5, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
  %x3 = stablehlo.slice %x [3:4, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
  %t4 = stablehlo.tanh %x4 : tensor<1x4xf32>
  %t3 = stablehlo.tanh %x3 : tensor<1x4xf32>
  %c3 = stablehlo.add %f#2, %t3 : tensor<1x4xf32>
  %c4 = stablehlo.add %c3, %t4 : tensor<1x4xf32>
  %all = stablehlo.concatenate %f#1, %c3, %c4, dim = 0 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  return %all, %c4 : tensor<5x4xf32>, tensor<1x4xf32>
}

// -----

// From the last row to the first, the first one written out: the rows in front of those that the loop had move its indices on.
// CHECK-LABEL: func.func @backwards_0(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>, %[[H:.*]]: tensor<1x4xf32>)
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[C:.*]] = %[[H]]) : tensor<i32>, tensor<4x4xf32>, tensor<1x4xf32>
// CHECK:           stablehlo.constant dense<4>
// CHECK:         do
// CHECK:           %[[BACK:.*]] = stablehlo.subtract %{{.*}}, %[[I]]
// CHECK:           %[[J:.*]] = stablehlo.add %[[BACK]], %{{.*}}
// CHECK:           stablehlo.dynamic_slice %[[X]], %[[J]],
// CHECK:           stablehlo.dynamic_update_slice %[[S]], %{{.*}}, %[[J]],
// CHECK-NOT:     stablehlo.concatenate
// CHECK:         return
func.func @backwards(%x: tensor<4x4xf32>, %h: tensor<1x4xf32>) -> (tensor<4x4xf32>, tensor<1x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %last = stablehlo.slice %x [1:4, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %c = %h) : tensor<i32>, tensor<3x4xf32>, tensor<1x4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %k = stablehlo.subtract %two, %i : tensor<i32>
    %r = stablehlo.dynamic_slice %last, %k, %zero, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %d = stablehlo.multiply %c, %r : tensor<1x4xf32>
    %u = stablehlo.dynamic_update_slice %s, %d, %k, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u, %d : tensor<i32>, tensor<3x4xf32>, tensor<1x4xf32>
  }
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
  %c0 = stablehlo.multiply %f#2, %x0 : tensor<1x4xf32>
  %all = stablehlo.concatenate %c0, %f#1, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return %all, %c0 : tensor<4x4xf32>, tensor<1x4xf32>
}

// -----

// What the loop ends with is asked for, too; another row; another function of it: the loop stays as it is.
// CHECK-LABEL: func.func @asked_for(
// CHECK-NOT:   echo.rolled
func.func @asked_for(%x: tensor<4xf32>, %h: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %d = stablehlo.add %c, %r : tensor<1xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %d : tensor<i32>, tensor<1xf32>
  }
  %r = stablehlo.slice %x [3:4] : (tensor<4xf32>) -> tensor<1xf32>
  %d = stablehlo.add %f#1, %r : tensor<1xf32>
  return %d, %f#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @another_row(
// CHECK-NOT:   echo.rolled
func.func @another_row(%x: tensor<5xf32>, %h: tensor<1xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %d = stablehlo.add %c, %r : tensor<1xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %d : tensor<i32>, tensor<1xf32>
  }
  %r = stablehlo.slice %x [4:5] : (tensor<5xf32>) -> tensor<1xf32>
  %d = stablehlo.add %f#1, %r : tensor<1xf32>
  return %d : tensor<1xf32>
}
