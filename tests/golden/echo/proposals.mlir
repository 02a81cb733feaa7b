// RUN: echo-opt --echo=overhead=0% %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// As jax.checkpoint writes it, the second loop takes the states that the first one stacked, weights and its own carry through a barrier
// and runs the product again. A larger product stands beside the loops, so that stacks have room: the sum is stacked in place of the
// state, and nothing runs again. The bias has another shape in front of its broadcast there than in the first loop.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dot_general
// CHECK:           %[[S:.*]] = stablehlo.add
// CHECK:           stablehlo.reshape %[[S]]
// CHECK:           stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while
// CHECK-NOT:       stablehlo.optimization_barrier
// CHECK-NOT:       contracting_dims = [1] x [0]
// CHECK:           stablehlo.dot_general {{.*}} contracting_dims = [1] x [1]
// CHECK:         return
func.func @main(%w: tensor<16x16xf32>, %bias: tensor<16xf32>, %x: tensor<16x16xf32>, %m: tensor<128x128xf32>) -> (tensor<16x16xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %big = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %larger = stablehlo.dot_general %big, %m, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %sum = stablehlo.reduce(%larger init: %f0) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x128xf32>, tensor<f32>) -> tensor<f32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x16x16xf32>
  %row = stablehlo.reshape %bias : (tensor<16xf32>) -> tensor<1x16xf32>
  %f:5 = stablehlo.while(%i = %zero, %h = %x, %hs = %empty, %v = %w, %r = %row) : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<1x16xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %h1 = stablehlo.reshape %h : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %hs1 = stablehlo.dynamic_update_slice %hs, %h1, %i, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %z = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %b = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<16x16xf32>
    %s = stablehlo.add %z, %b : tensor<16x16xf32>
    %y = stablehlo.maximum %s, %x : tensor<16x16xf32>
    stablehlo.return %j, %y, %hs1, %v, %r : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<1x16xf32>
  }
  %g:3 = stablehlo.while(%i = %zero, %d = %f#1, %hs = %f#2) : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>
   cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %three, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %hs, %k, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %a1 = stablehlo.reshape %a : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %o:4 = stablehlo.optimization_barrier %a1, %w, %bias, %d : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf32>
    %z = stablehlo.dot_general %o#0, %o#1, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %b = stablehlo.broadcast_in_dim %o#2, dims = [1] : (tensor<16xf32>) -> tensor<16x16xf32>
    %s = stablehlo.add %z, %b : tensor<16x16xf32>
    %q = stablehlo.multiply %s, %o#3 : tensor<16x16xf32>
    %e = stablehlo.dot_general %q, %o#1, contracting_dims = [1] x [1] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    stablehlo.return %j, %e, %hs : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>
  }
  return %g#1, %sum : tensor<16x16xf32>, tensor<f32>
}
