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
