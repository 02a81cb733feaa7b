// RUN: echo-opt --roll-loops --split-input-file %s | FileCheck %s
// Once is enough.
// RUN: echo-opt --roll-loops --split-input-file %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(roll-loops,roll-loops)' --split-input-file %s | diff %t.once.mlir -

// Two copies an iteration, rows of a block read backwards, rows of another written forwards, and a state: beside the function stands the
// same in twice as many iterations. The ops of the second copy stand in front of those of the first where they can.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0({{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[X:.*]] = stablehlo.reshape %{{.*}} : (tensor<3x2x4xf32>) -> tensor<6x4xf32>
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[H:[^,]*]] = %{{[^,]*}}) : tensor<i32>, tensor<6x4xf32>, tensor<1x4xf32>
// CHECK:           stablehlo.constant dense<6>
// CHECK:         do
// CHECK:           %[[LAST:.*]] = stablehlo.constant dense<5>
// CHECK:           %[[J:.*]] = stablehlo.subtract %[[LAST]], %[[I]]
// CHECK:           stablehlo.dynamic_slice %[[X]], %[[J]], {{.*}}, sizes = [1, 4]
// CHECK:           stablehlo.tanh
// CHECK-NOT:       stablehlo.tanh
// CHECK:           stablehlo.dynamic_update_slice %[[S]], %{{.*}}, %[[I]],
// CHECK:         stablehlo.reshape %{{.*}} : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
func.func @main(%x: tensor<3x2x4xf32>, %h: tensor<1x4xf32>) -> (tensor<3x2x4xf32>, tensor<1x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x2x4xf32>
  %f:4 = stablehlo.while(%i = %zero, %s = %empty, %xs = %x, %c = %h) : tensor<i32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<1x4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<1x4xf32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %b = stablehlo.dynamic_slice %xs, %back, %zero, %zero, sizes = [1, 2, 4] : (tensor<3x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %r1 = stablehlo.slice %b [0:1, 0:1, 0:4] : (tensor<1x2x4xf32>) -> tensor<1x1x4xf32>
    %r0 = stablehlo.slice %b [0:1, 1:2, 0:4] : (tensor<1x2x4xf32>) -> tensor<1x1x4xf32>
    %x1 = stablehlo.reshape %r1 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %x0 = stablehlo.reshape %r0 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %t1 = stablehlo.tanh %x1 : tensor<1x4xf32>
    %t0 = stablehlo.tanh %x0 : tensor<1x4xf32>
    %c0 = stablehlo.add %c, %t0 : tensor<1x4xf32>
    %c1 = stablehlo.add %c0, %t1 : tensor<1x4xf32>
    %a = stablehlo.concatenate %t0, %t1, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %w = stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %scale = stablehlo.constant dense<0.5> : tensor<1x2x4xf32>
    %v = stablehlo.multiply %w, %scale : tensor<1x2x4xf32>
    %u = stablehlo.dynamic_update_slice %s, %v, %i, %zero, %zero : (tensor<3x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4xf32>
    %j = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %j, %u, %xs, %c1 : tensor<i32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<1x4xf32>
  }
  return %f#1, %f#3 : tensor<3x2x4xf32>, tensor<1x4xf32>
}

// -----

// Rows found by arithmetic; a second counter that each copy counts on; a state that waits one copy. What a counter is behind the loop is
// a constant.
// CHECK-LABEL: func.func @indices(
// CHECK:       func.func @indices_0(
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{[^,]*}}) : tensor<i32>, tensor<1xf32>, tensor<1xf32>
// CHECK:           stablehlo.constant dense<9>
// CHECK:         do
// CHECK:           stablehlo.dynamic_slice %{{.*}}, %[[I]], sizes = [1]
// CHECK-NOT:       stablehlo.dynamic_slice
// CHECK:         %[[N:.*]] = stablehlo.constant dense<9> : tensor<i32>
// CHECK:         return %{{.*}}, %{{.*}}, %[[N]]
func.func @indices(%x: tensor<9xf32>, %h: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:4 = stablehlo.while(%i = %zero, %k = %zero, %c = %h, %d = %h) : tensor<i32>, tensor<i32>, tensor<1xf32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %k2 = stablehlo.add %k1, %one : tensor<i32>
    %k3 = stablehlo.add %k2, %one : tensor<i32>
    %x0 = stablehlo.dynamic_slice %x, %k, sizes = [1] : (tensor<9xf32>, tensor<i32>) -> tensor<1xf32>
    %x1 = stablehlo.dynamic_slice %x, %k1, sizes = [1] : (tensor<9xf32>, tensor<i32>) -> tensor<1xf32>
    %x2 = stablehlo.dynamic_slice %x, %k2, sizes = [1] : (tensor<9xf32>, tensor<i32>) -> tensor<1xf32>
    %p0 = stablehlo.multiply %x0, %d : tensor<1xf32>
    %c0 = stablehlo.add %c, %p0 : tensor<1xf32>
    %p1 = stablehlo.multiply %x1, %c : tensor<1xf32>
    %c1 = stablehlo.add %c0, %p1 : tensor<1xf32>
    %p2 = stablehlo.multiply %x2, %c0 : tensor<1xf32>
    %c2 = stablehlo.add %c1, %p2 : tensor<1xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %k3, %c2, %c1 : tensor<i32>, tensor<i32>, tensor<1xf32>, tensor<1xf32>
  }
  return %f#2, %f#3, %f#1 : tensor<1xf32>, tensor<1xf32>, tensor<i32>
}

// -----

// Copies that are none: another constant, a row that is read twice, rows written the other way round than the blocks, a sum that the
// second copy does not begin with.
// CHECK-LABEL: func.func @other_constant(
// CHECK-NOT:   echo.rolled
func.func @other_constant(%x: tensor<4xf32>, %h: tensor<1xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.constant dense<1.0> : tensor<1xf32>
    %b = stablehlo.constant dense<2.0> : tensor<1xf32>
    %x0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %x1 = stablehlo.dynamic_slice %x, %i1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y0 = stablehlo.multiply %x0, %a : tensor<1xf32>
    %y1 = stablehlo.multiply %x1, %b : tensor<1xf32>
    %c0 = stablehlo.add %c, %y0 : tensor<1xf32>
    %c1 = stablehlo.add %c0, %y1 : tensor<1xf32>
    %j = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %j, %c1 : tensor<i32>, tensor<1xf32>
  }
  return %f#1 : tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @same_row_twice(
// CHECK-NOT:   echo.rolled
func.func @same_row_twice(%x: tensor<4xf32>, %h: tensor<1xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %x0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %c0 = stablehlo.add %c, %x0 : tensor<1xf32>
    %c1 = stablehlo.add %c0, %x0 : tensor<1xf32>
    %j = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %j, %c1 : tensor<i32>, tensor<1xf32>
  }
  return %f#1 : tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @other_way_round(
// CHECK-NOT:   echo.rolled
func.func @other_way_round(%x: tensor<6xf32>, %h: tensor<1xf32>) -> (tensor<3x2xf32>, tensor<1xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x2xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %c = %h) : tensor<i32>, tensor<3x2xf32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.tanh %c : tensor<1xf32>
    %c1 = stablehlo.tanh %c0 : tensor<1xf32>
    %a = stablehlo.concatenate %c1, %c0, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %w = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<1x2xf32>
    %u = stablehlo.dynamic_update_slice %s, %w, %i, %zero : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u, %c1 : tensor<i32>, tensor<3x2xf32>, tensor<1xf32>
  }
  return %f#1, %f#2 : tensor<3x2xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @not_in_a_row(
// CHECK-NOT:   echo.rolled
func.func @not_in_a_row(%x: tensor<4xf32>, %h: tensor<1xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<1xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %x0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %x1 = stablehlo.dynamic_slice %x, %i1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %c0 = stablehlo.multiply %c, %x0 : tensor<1xf32>
    %c1 = stablehlo.multiply %c, %x1 : tensor<1xf32>
    %d = stablehlo.add %c0, %c1 : tensor<1xf32>
    %j = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %j, %d : tensor<i32>, tensor<1xf32>
  }
  return %f#1 : tensor<1xf32>
}
