// RUN: echo-opt --sink-updates --canonicalize --split-input-file %s | FileCheck %s

// A gradient stack meets its weight in the loop; the weight is the loop's carry from the start, read and written at one index.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %arg0) : tensor<i32>, tensor<4x8xf32>
// CHECK:           stablehlo.dynamic_slice %[[C]], %[[I]], %{{.*}}, sizes = [1, 8]
// CHECK:           %[[W:.*]] = stablehlo.dynamic_slice %[[C]], %[[I]], %{{.*}}, sizes = [1, 8]
// CHECK:           %[[N:.*]] = stablehlo.subtract %[[W]], %{{.*}} : tensor<1x8xf32>
// CHECK:           stablehlo.dynamic_update_slice %[[C]], %[[N]], %[[I]]
// CHECK-NOT:     stablehlo.subtract
// CHECK:         return %{{.*}}#1 : tensor<4x8xf32>
func.func @main(%w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %g:3 = stablehlo.while(%i = %zero, %v = %w, %s = %empty) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %x = stablehlo.dynamic_slice %v, %i, %c0, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %y = stablehlo.tanh %x : tensor<1x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    stablehlo.return %j, %v, %t : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  %rate = stablehlo.constant dense<0.1> : tensor<4x8xf32>
  %u = stablehlo.multiply %g#2, %rate : tensor<4x8xf32>
  %r = stablehlo.subtract %w, %u : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A norm of the whole gradient is needed before any of it: the stack stays.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:         stablehlo.reduce
// CHECK:         stablehlo.multiply {{.*}} : tensor<4x8xf32>
// CHECK:         stablehlo.subtract %arg0, %{{.*}} : tensor<4x8xf32>
func.func @main(%w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<4x8xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.constant dense<2.0> : tensor<1x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4x8xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.reduce(%g#1 init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %u = stablehlo.multiply %g#1, %b : tensor<4x8xf32>
  %r = stablehlo.subtract %w, %u : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A loop that leaves slices out is no reason to move anything: the elements that it does not write count, too.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:         stablehlo.subtract %arg0, %{{.*}} : tensor<5x8xf32>
func.func @main(%w: tensor<5x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<5x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<1.0> : tensor<5x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<5x8xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.constant dense<2.0> : tensor<1x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<5x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<5x8xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<5x8xf32>
  }
  %r = stablehlo.subtract %w, %g#1 : tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// -----

// The outputs hold the states that the second loop reads, so they are stacked anyway (--reuse-arrays): the sums are made behind the loop.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while
// CHECK:         stablehlo.add %{{.*}}, %arg0 : tensor<8x16xf32>
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  %twice = stablehlo.add %f#3, %x : tensor<8x16xf32>
  return %twice, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}
