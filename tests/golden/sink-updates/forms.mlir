// RUN: rm -rf %t && split-file %s %t
// RUN: echo-opt --sink-updates --canonicalize --cse %t/weights.mlir -o %t/weights.sunk.mlir
// RUN: FileCheck %t/weights.mlir --input-file=%t/weights.sunk.mlir
// RUN: echo-run %t/weights.mlir --device=interpreter --outputs=%t/weights.npz --quiet
// RUN: echo-run %t/weights.sunk.mlir --device=interpreter --expect=%t/weights.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %t/rates.mlir -o %t/rates.sunk.mlir
// RUN: FileCheck %t/rates.mlir --input-file=%t/rates.sunk.mlir
// RUN: echo-run %t/rates.mlir --device=interpreter --outputs=%t/rates.npz --quiet
// RUN: echo-run %t/rates.sunk.mlir --device=interpreter --expect=%t/rates.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %t/part_of_a_dimension.mlir -o %t/part_of_a_dimension.sunk.mlir
// RUN: FileCheck %t/part_of_a_dimension.mlir --input-file=%t/part_of_a_dimension.sunk.mlir
// RUN: echo-run %t/part_of_a_dimension.mlir --device=interpreter --outputs=%t/part_of_a_dimension.npz --quiet
// RUN: echo-run %t/part_of_a_dimension.sunk.mlir --device=interpreter --expect=%t/part_of_a_dimension.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %t/transposed.mlir -o %t/transposed.sunk.mlir
// RUN: FileCheck %t/transposed.mlir --input-file=%t/transposed.sunk.mlir
// RUN: echo-run %t/transposed.mlir --device=interpreter --outputs=%t/transposed.npz --quiet
// RUN: echo-run %t/transposed.sunk.mlir --device=interpreter --expect=%t/transposed.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %t/layers_change_places.mlir -o %t/layers_change_places.sunk.mlir
// RUN: FileCheck %t/layers_change_places.mlir --input-file=%t/layers_change_places.sunk.mlir
// RUN: echo-run %t/layers_change_places.mlir --device=interpreter --outputs=%t/layers_change_places.npz --quiet
// RUN: echo-run %t/layers_change_places.sunk.mlir --device=interpreter --expect=%t/layers_change_places.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %t/returned.mlir -o %t/returned.sunk.mlir
// RUN: FileCheck %t/returned.mlir --input-file=%t/returned.sunk.mlir
// RUN: echo-run %t/returned.mlir --device=interpreter --outputs=%t/returned.npz --quiet
// RUN: echo-run %t/returned.sunk.mlir --device=interpreter --expect=%t/returned.npz --rtol=0 --atol=0 --quiet

// Gradients that meet their weights in another form than the loop stacks them in.

//--- weights.mlir
// The weights are kept in another form than the layers are run in: they are carried in that of the layers.
// CHECK-LABEL: func.func @main
// CHECK:          %[[V:.*]] = stablehlo.reshape %arg0 : (tensor<2x2x8xf32>) -> tensor<4x8xf32>
// CHECK:          stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %[[V]]) : tensor<i32>, tensor<4x8xf32>
// CHECK:            stablehlo.subtract %{{.*}}, %{{.*}} : tensor<1x8xf32>
// CHECK:            stablehlo.dynamic_update_slice %[[C]],
// CHECK-NOT:       stablehlo.subtract
// CHECK:          stablehlo.reshape %{{.*}} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
func.func @main(%w: tensor<2x2x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2x2x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %v = stablehlo.reshape %w : (tensor<2x2x8xf32>) -> tensor<4x8xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<4x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %y = stablehlo.tanh %x : tensor<1x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<4x8xf32>
  }
  %d = stablehlo.reshape %g#1 : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %q = stablehlo.subtract %w, %d : tensor<2x2x8xf32>
  return %q : tensor<2x2x8xf32>
}
// -----
//--- rates.mlir
// One rate a layer, of layers in segments: the rates are split as the layers are.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<2x2xf32>
// CHECK:          stablehlo.while
// CHECK:            stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x8xf32>
// CHECK:            stablehlo.multiply %{{.*}}, %{{.*}} : tensor<1x2x8xf32>
// CHECK-NOT:       stablehlo.multiply
func.func @main(%w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %r: tensor<4xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %v = stablehlo.reshape %w : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<2x2x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<2x2x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 2, 8] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %y = stablehlo.tanh %x : tensor<1x2x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero, %zero : (tensor<2x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<2x2x8xf32>
  }
  %d = stablehlo.reshape %g#1 : (tensor<2x2x8xf32>) -> tensor<4x8xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.multiply %d, %b : tensor<4x8xf32>
  %q = stablehlo.subtract %w, %u : tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}
// -----
//--- part_of_a_dimension.mlir
// A factor for every second layer has no slices along the segments: it is made before the loop.
// CHECK-LABEL: func.func @main
// CHECK:          %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<3x2x8xf32>
// CHECK:          stablehlo.reshape %[[B]] : (tensor<3x2x8xf32>) -> tensor<2x3x8xf32>
// CHECK:          stablehlo.while
// CHECK:            stablehlo.multiply %{{.*}}, %{{.*}} : tensor<1x3x8xf32>
// CHECK-NOT:       stablehlo.multiply
func.func @main(%w: tensor<3x2x8xf32> {tf.aliasing_output = 0 : i32}, %r: tensor<2xf32>) -> tensor<3x2x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %v = stablehlo.reshape %w : (tensor<3x2x8xf32>) -> tensor<2x3x8xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<2x3x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<2x3x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %y = stablehlo.tanh %x : tensor<1x3x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero, %zero : (tensor<2x3x8xf32>, tensor<1x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<2x3x8xf32>
  }
  %d = stablehlo.reshape %g#1 : (tensor<2x3x8xf32>) -> tensor<3x2x8xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<2xf32>) -> tensor<3x2x8xf32>
  %u = stablehlo.multiply %d, %b : tensor<3x2x8xf32>
  %q = stablehlo.subtract %w, %u : tensor<3x2x8xf32>
  return %q : tensor<3x2x8xf32>
}
// -----
//--- transposed.mlir
// Each layer of a gradient is transposed, the layers are not: so are its slices.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while
// CHECK:            stablehlo.transpose %{{.*}}, dims = [0, 2, 1] : (tensor<1x2x8xf32>) -> tensor<1x8x2xf32>
// CHECK:            stablehlo.subtract %{{.*}}, %{{.*}} : tensor<1x8x2xf32>
// CHECK-NOT:       stablehlo.subtract
func.func @main(%w: tensor<4x8x2xf32> {tf.aliasing_output = 0 : i32}, %in: tensor<4x2x8xf32>) -> tensor<4x8x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x2x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<4x2x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %in, %i, %zero, %zero, sizes = [1, 2, 8] : (tensor<4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %y = stablehlo.tanh %x : tensor<1x2x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero, %zero : (tensor<4x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<4x2x8xf32>
  }
  %d = stablehlo.transpose %g#1, dims = [0, 2, 1] : (tensor<4x2x8xf32>) -> tensor<4x8x2xf32>
  %q = stablehlo.subtract %w, %d : tensor<4x8x2xf32>
  return %q : tensor<4x8x2xf32>
}
// -----
//--- layers_change_places.mlir
// The layers themselves change places: the gradient stays whole.
// CHECK-LABEL: func.func @main
// CHECK:          stablehlo.while
// CHECK:          stablehlo.subtract %arg0, %{{.*}} : tensor<4x4xf32>
func.func @main(%w: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<4x4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %w, %i, %zero, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %y = stablehlo.tanh %x : tensor<1x4xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<4x4xf32>
  }
  %d = stablehlo.transpose %g#1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = stablehlo.subtract %w, %d : tensor<4x4xf32>
  return %q : tensor<4x4xf32>
}
// -----
//--- returned.mlir
// A gradient that is returned in another form stays whole, too.
// CHECK-LABEL: func.func @main
// CHECK:          %[[G:.*]]:2 = stablehlo.while
// CHECK:          %[[D:.*]] = stablehlo.reshape %[[G]]#1
// CHECK:          stablehlo.subtract %arg0, %[[D]] : tensor<2x2x8xf32>
// CHECK:          return %{{.*}}, %[[D]]
func.func @main(%w: tensor<2x2x8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<2x2x8xf32>, tensor<2x2x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %v = stablehlo.reshape %w : (tensor<2x2x8xf32>) -> tensor<4x8xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<4x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %y = stablehlo.tanh %x : tensor<1x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<4x8xf32>
  }
  %d = stablehlo.reshape %g#1 : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %q = stablehlo.subtract %w, %d : tensor<2x2x8xf32>
  return %q, %d : tensor<2x2x8xf32>, tensor<2x2x8xf32>
}
