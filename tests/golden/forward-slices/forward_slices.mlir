// RUN: rm -rf %t && split-file %s %t
// RUN: echo-opt --forward-slices --canonicalize --dce %t/segments.mlir -o %t/segments.read.mlir
// RUN: FileCheck %t/segments.mlir --input-file=%t/segments.read.mlir
// RUN: echo-run %t/segments.mlir --device=interpreter --outputs=%t/segments.npz --quiet
// RUN: echo-run %t/segments.read.mlir --device=interpreter --expect=%t/segments.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --forward-slices --canonicalize --dce %t/updated.mlir -o %t/updated.read.mlir
// RUN: FileCheck %t/updated.mlir --input-file=%t/updated.read.mlir
// RUN: echo-run %t/updated.mlir --device=interpreter --outputs=%t/updated.npz --quiet
// RUN: echo-run %t/updated.read.mlir --device=interpreter --expect=%t/updated.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --forward-slices --canonicalize --dce %t/another_is_updated.mlir -o %t/another_is_updated.read.mlir
// RUN: FileCheck %t/another_is_updated.mlir --input-file=%t/another_is_updated.read.mlir
// RUN: echo-run %t/another_is_updated.mlir --device=interpreter --outputs=%t/another_is_updated.npz --quiet
// RUN: echo-run %t/another_is_updated.read.mlir --device=interpreter --expect=%t/another_is_updated.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --forward-slices --canonicalize --dce %t/made_by_a_loop.mlir -o %t/made_by_a_loop.read.mlir
// RUN: FileCheck %t/made_by_a_loop.mlir --input-file=%t/made_by_a_loop.read.mlir
// RUN: echo-run %t/made_by_a_loop.mlir --device=interpreter --outputs=%t/made_by_a_loop.npz --quiet
// RUN: echo-run %t/made_by_a_loop.read.mlir --device=interpreter --expect=%t/made_by_a_loop.npz --rtol=0 --atol=0 --quiet

// Slices of slices in loops.

//--- segments.mlir
// The layers of a segment are read from all weights, and the barrier is one of the state alone.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while(%[[I:.*]] = %{{.*}}, %[[A:.*]] = %arg0, %[[H:.*]] = %arg1)
// CHECK:            %[[B:.*]] = stablehlo.optimization_barrier %[[H]] : tensor<8xf32>
// CHECK:            stablehlo.while(%[[J:.*]] = %{{.*}}, %{{.*}} = %[[B]]) : tensor<i32>, tensor<8xf32>
// CHECK:              stablehlo.dynamic_slice %[[A]], %[[I]], %[[J]], %{{.*}}, sizes = [1, 1, 8]
func.func @main(%w: tensor<2x3x8xf32>, %x0: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %g:3 = stablehlo.while(%i = %zero, %u = %w, %z = %x0) : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %u, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %b = stablehlo.reshape %a : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %e:2 = stablehlo.optimization_barrier %b, %z : tensor<3x8xf32>, tensor<8xf32>
    %h:3 = stablehlo.while(%j = %zero, %v = %e#0, %x = %e#1) : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>
     cond {
      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %v, %j, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %r = stablehlo.reshape %s : (tensor<1x8xf32>) -> tensor<8xf32>
      %y = stablehlo.multiply %x, %r : tensor<8xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %v, %y : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>
    }
    %q = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q, %u, %h#2 : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
  }
  return %g#2 : tensor<8xf32>
}
// -----
//--- updated.mlir
// Where the loop updates a layer it reads what it updates.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %arg0, %{{.*}} = %arg1)
// CHECK-NOT:         stablehlo.dynamic_slice
// CHECK:            stablehlo.while(%[[J:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[D:.*]] = %[[C]]) : tensor<i32>, tensor<8xf32>, tensor<2x3x8xf32>
// CHECK:              stablehlo.dynamic_slice %[[D]], %[[I]], %[[J]], %{{.*}}, sizes = [1, 1, 8]
func.func @main(%w: tensor<2x3x8xf32>, %x0: tensor<8xf32>) -> (tensor<2x3x8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %g:3 = stablehlo.while(%i = %zero, %u = %w, %z = %x0) : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %u, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %b = stablehlo.reshape %a : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %h:4 = stablehlo.while(%j = %zero, %v = %b, %x = %z, %d = %u) : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
     cond {
      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %v, %j, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %r = stablehlo.reshape %s : (tensor<1x8xf32>) -> tensor<8xf32>
      %y = stablehlo.multiply %x, %r : tensor<8xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      %n = stablehlo.negate %r : tensor<8xf32>
      %m = stablehlo.reshape %n : (tensor<8xf32>) -> tensor<1x1x8xf32>
      %o = stablehlo.dynamic_update_slice %d, %m, %i, %j, %zero : (tensor<2x3x8xf32>, tensor<1x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>
      stablehlo.return %k, %v, %y, %o : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
    }
    %q = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q, %h#3, %h#2 : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
  }
  return %g#1, %g#2 : tensor<2x3x8xf32>, tensor<8xf32>
}
// -----
//--- another_is_updated.mlir
// It updates the first layer of the segment each time: the segment is read from a copy.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %arg0, %{{.*}} = %arg1)
// CHECK:            stablehlo.dynamic_slice %[[C]], %[[I]], {{.*}}, sizes = [1, 3, 8]
// CHECK:            stablehlo.while
// CHECK:              stablehlo.dynamic_slice {{.*}}, sizes = [1, 8]
func.func @main(%w: tensor<2x3x8xf32>, %x0: tensor<8xf32>) -> (tensor<2x3x8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %g:3 = stablehlo.while(%i = %zero, %u = %w, %z = %x0) : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %u, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %b = stablehlo.reshape %a : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %h:4 = stablehlo.while(%j = %zero, %v = %b, %x = %z, %d = %u) : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
     cond {
      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %v, %j, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %r = stablehlo.reshape %s : (tensor<1x8xf32>) -> tensor<8xf32>
      %y = stablehlo.multiply %x, %r : tensor<8xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      %n = stablehlo.negate %r : tensor<8xf32>
      %m = stablehlo.reshape %n : (tensor<8xf32>) -> tensor<1x1x8xf32>
      %o = stablehlo.dynamic_update_slice %d, %m, %i, %zero, %zero : (tensor<2x3x8xf32>, tensor<1x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>
      stablehlo.return %k, %v, %y, %o : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
    }
    %q = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q, %h#3, %h#2 : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
  }
  return %g#1, %g#2 : tensor<2x3x8xf32>, tensor<8xf32>
}
// -----
//--- made_by_a_loop.mlir
// A stack that a loop makes is left: how the next loop reads it is what stacks are told by.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while
// CHECK:          stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}#1, %{{.*}} = %arg0)
// CHECK:            stablehlo.dynamic_slice %[[C]], %[[I]], {{.*}}, sizes = [1, 3, 8]
// CHECK:            stablehlo.while
// CHECK:              stablehlo.dynamic_slice {{.*}}, sizes = [1, 8]
func.func @main(%x0: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<2x3x8xf32>
  %f:3 = stablehlo.while(%i = %zero, %u = %empty, %z0 = %x0) : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.broadcast_in_dim %z0, dims = [2] : (tensor<8xf32>) -> tensor<1x3x8xf32>
    %o = stablehlo.dynamic_update_slice %u, %t, %i, %zero, %zero : (tensor<2x3x8xf32>, tensor<1x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>
    %y = stablehlo.tanh %z0 : tensor<8xf32>
    %q = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q, %o, %y : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
  }
  %g:3 = stablehlo.while(%i = %zero, %u = %f#1, %z = %x0) : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %u, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %b = stablehlo.reshape %a : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %h:3 = stablehlo.while(%j = %zero, %v = %b, %x = %z) : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>
     cond {
      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %v, %j, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %r = stablehlo.reshape %s : (tensor<1x8xf32>) -> tensor<8xf32>
      %y = stablehlo.multiply %x, %r : tensor<8xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %v, %y : tensor<i32>, tensor<3x8xf32>, tensor<8xf32>
    }
    %q = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q, %u, %h#2 : tensor<i32>, tensor<2x3x8xf32>, tensor<8xf32>
  }
  return %g#2 : tensor<8xf32>
}
