// RUN: echo-run %s --device=interpreter --seed=1 --quiet --outputs=%t.npz
// RUN: echo-run %s --seed=1 --no-cache --quiet --expect=%t.npz
// RUN: echo-run %s --seed=1 --no-cache --quiet --echo=budget=min --threads=2 --expect=%t.npz
// RUN: echo-opt %s --to=kernels | FileCheck %s

// What a reducer, a comparator or an update reads from outside is an argument of its kernel: a number, an array that it looks something up in, what an
// op before it makes and what a loop carries. Two scatters that differ in it alone are one kernel.

// CHECK:       "kernel.func"() <{function_type = (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK:       function_type = (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<f32>) -> tensor<8xf32>, kind = "scatter", sym_name = "[[SCATTER:.*]]"}
// CHECK-LABEL: func.func @main(
// CHECK:       "kernel.call"({{.*}}) <{callee = @[[SCATTER]]}>
// CHECK:       "kernel.call"({{.*}}) <{callee = @[[SCATTER]]}>
func.func @main(%x: tensor<8x16xf32>, %c: tensor<f32>, %v: tensor<8xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xi32>, tensor<8x16xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %c : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %d = stablehlo.negate %c : tensor<f32>
  %up = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %c : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %down = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %d : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %w = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %d : tensor<f32>
    %s = stablehlo.maximum %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  %places = stablehlo.iota dim = 0 : tensor<8xi32>
  %order = "stablehlo.sort"(%places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.dynamic_slice %v, %a, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %q = stablehlo.dynamic_slice %v, %b, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %f = stablehlo.reshape %p : (tensor<1xf32>) -> tensor<f32>
    %g = stablehlo.reshape %q : (tensor<1xf32>) -> tensor<f32>
    %l = stablehlo.compare LT, %f, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<8xi32>) -> tensor<8xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%k = %zero, %t = %x, %e = %c) : tensor<i32>, tensor<8x16xf32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %o = "stablehlo.sort"(%t) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.subtract %a, %e : tensor<f32>
      %q = stablehlo.subtract %b, %e : tensor<f32>
      %f = stablehlo.abs %p : tensor<f32>
      %g = stablehlo.abs %q : tensor<f32>
      %l = stablehlo.compare LT, %f, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %y = stablehlo.sine %o : tensor<8x16xf32>
    %h = stablehlo.cosine %e : tensor<f32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %y, %h : tensor<i32>, tensor<8x16xf32>, tensor<f32>
  }
  return %sum, %up, %down, %w, %order, %r#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xi32>, tensor<8x16xf32>
}
