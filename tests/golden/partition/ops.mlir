// Where the batch goes in ops of each kind. It is dimension 1 of arguments: time comes first.
// RUN: echo-opt %s --split-input-file --partition="processes=2 batch=arg0:1" --canonicalize | FileCheck %s

// A dimension that time and batch are merged in, and apart again; the part of one is every other block of it.
// CHECK-LABEL: @merged
// CHECK:       %[[T:.*]] = stablehlo.tanh %arg0 : tensor<3x2x5xf32>
// The whole of it: of [3, 2 * 5] as [3, 1, 2 * 5] a gather along the second dimension.
// CHECK:       stablehlo.reshape %[[T]] : (tensor<3x2x5xf32>) -> tensor<3x1x10xf32>
// CHECK:       "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 1 : i64
// CHECK-SAME:  (tensor<3x1x10xf32>) -> tensor<3x2x10xf32>
// CHECK:       return %{{.*}}, %[[T]]
module @merged {
  func.func @main(%x: tensor<3x4x5xf32>) -> (tensor<12x5xf32>, tensor<3x4x5xf32>) {
    %0 = stablehlo.reshape %x : (tensor<3x4x5xf32>) -> tensor<12x5xf32>
    %1 = stablehlo.tanh %0 : tensor<12x5xf32>
    %2 = stablehlo.reshape %1 : (tensor<12x5xf32>) -> tensor<3x4x5xf32>
    return %1, %2 : tensor<12x5xf32>, tensor<3x4x5xf32>
  }
}

// -----

// A table by words of the batch, and its gradient: added to zeros by each, then among them.
// CHECK-LABEL: @table
// CHECK:       "stablehlo.gather"(%arg1, %{{.*}}) {{.*}} : (tensor<7x5xf32>, tensor<3x2x1xi32>) -> tensor<3x2x5xf32>
// CHECK:       "stablehlo.scatter"(%{{.*}}) {{.*}}
// CHECK:       : (tensor<7x5xf32>, tensor<3x2x1xi32>, tensor<3x2x5xf32>) -> tensor<7x5xf32>
// CHECK:       "stablehlo.all_reduce"(%{{.*}}) <{
module @table {
  func.func @main(%ids: tensor<3x4x1xi32>, %table: tensor<7x5xf32>) -> tensor<7x5xf32> {
    %rows = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<7x5xf32>, tensor<3x4x1xi32>) -> tensor<3x4x5xf32>
    %zeros = stablehlo.constant dense<0.0> : tensor<7x5xf32>
    %sum = "stablehlo.scatter"(%zeros, %ids, %rows) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<7x5xf32>, tensor<3x4x1xi32>, tensor<3x4x5xf32>) -> tensor<7x5xf32>
    return %sum : tensor<7x5xf32>
  }
}

// -----

// A slice of time, a sort and a largest element; the largest of all is reduced by the same op.
// CHECK-LABEL: @rows
// CHECK:       stablehlo.slice %arg0 [0:1, 0:2, 0:5] : (tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
// CHECK:       "stablehlo.sort"
// CHECK:       stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<1x2x5xf32>, tensor<f32>) -> tensor<f32>
// CHECK:       "stablehlo.all_reduce"
// CHECK:       stablehlo.maximum %{{.*}}, %{{.*}} : tensor<f32>
module @rows {
  func.func @main(%x: tensor<3x4x5xf32>) -> tensor<f32> {
    %0 = stablehlo.slice %x [0:1, 0:4, 0:5] : (tensor<3x4x5xf32>) -> tensor<1x4x5xf32>
    %1 = "stablehlo.sort"(%0) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<1x4x5xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}

// -----

// A loop over time: the state is split as its input is, the gradient that it adds up is partial and reduced once, behind it.
// CHECK-LABEL: @recurrent
// CHECK:       %[[LOOP:.*]]:3 = stablehlo.while
// CHECK-SAME:  tensor<i32>, tensor<2x5xf32>, tensor<5x5xf32>
// CHECK-NOT:   all_reduce
// CHECK:       stablehlo.dynamic_slice %arg0
// CHECK-SAME:  sizes = [1, 2, 5]
// CHECK:       stablehlo.dot_general
// CHECK:       stablehlo.return
// CHECK:       "stablehlo.all_reduce"(%[[LOOP]]#2)
// CHECK-NOT:   all_reduce
module @recurrent {
  func.func @main(%x: tensor<3x4x5xf32>) -> (tensor<4x5xf32>, tensor<5x5xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %h0 = stablehlo.constant dense<0.0> : tensor<4x5xf32>
    %g0 = stablehlo.constant dense<0.0> : tensor<5x5xf32>
    %r:3 = stablehlo.while(%i = %zero, %h = %h0, %g = %g0) : tensor<i32>, tensor<4x5xf32>, tensor<5x5xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 4, 5] : (tensor<3x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x5xf32>
      %t = stablehlo.reshape %s : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
      %h1 = stablehlo.add %h, %t : tensor<4x5xf32>
      %d = stablehlo.dot_general %h1, %t, contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<5x5xf32>
      %g1 = stablehlo.add %g, %d : tensor<5x5xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %h1, %g1 : tensor<i32>, tensor<4x5xf32>, tensor<5x5xf32>
    }
    return %r#1, %r#2 : tensor<4x5xf32>, tensor<5x5xf32>
  }
}

// -----

// Images: a convolution, and the gradient of its kernel, which contracts the batch.
// CHECK-LABEL: @images
// CHECK:       stablehlo.convolution(%arg0, %arg1)
// CHECK-SAME:  (tensor<6x2x6x1xf32>, tensor<3x3x1x5xf32>) -> tensor<6x2x6x5xf32>
// CHECK:       stablehlo.convolution
// CHECK-SAME:  (tensor<6x2x6x1xf32>, tensor<6x2x6x5xf32>) -> tensor<3x5x3x1xf32>
// CHECK-NEXT:  "stablehlo.all_reduce"
module @images {
  func.func @main(%x: tensor<6x4x6x1xf32>, %k: tensor<3x3x1x5xf32>) -> tensor<3x5x3x1xf32> {
    %y = stablehlo.convolution(%x, %k) dim_numbers = [0, b, 1, f]x[0, 1, i, o]->[0, b, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x4x6x1xf32>, tensor<3x3x1x5xf32>) -> tensor<6x4x6x5xf32>
    %g = stablehlo.convolution(%x, %y) dim_numbers = [0, f, 1, b]x[0, i, 1, o]->[0, f, 1, b], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x4x6x1xf32>, tensor<6x4x6x5xf32>) -> tensor<3x5x3x1xf32>
    return %g : tensor<3x5x3x1xf32>
  }
}

// -----

// A branch on the largest of all; a mask that is whole is cut.
// CHECK-LABEL: @branch
// CHECK:       stablehlo.dynamic_slice %arg1
// CHECK-SAME:  (tensor<3x4xi1>, tensor<i64>, tensor<i64>) -> tensor<3x2xi1>
// CHECK:       "stablehlo.all_reduce"
// CHECK:       "stablehlo.if"
// CHECK:       }) : (tensor<i1>) -> tensor<3x2xf32>
module @branch {
  func.func @main(%x: tensor<3x4xf32>, %mask: tensor<3x4xi1>) -> tensor<3x4xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
    %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %p = stablehlo.compare GT, %m, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({
      %a = stablehlo.select %mask, %x, %zeros : tensor<3x4xi1>, tensor<3x4xf32>
      stablehlo.return %a : tensor<3x4xf32>
    }, {
      stablehlo.return %zeros : tensor<3x4xf32>
    }) : (tensor<i1>) -> tensor<3x4xf32>
    return %r : tensor<3x4xf32>
  }
}
