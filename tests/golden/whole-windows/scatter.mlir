// RUN: echo-opt %s --split-input-file --whole-windows | FileCheck %s
// RUN: echo-opt %s --split-input-file --whole-windows -o %t.mlir && echo-opt --split-input-file %t.mlir | diff %t.mlir -
// RUN: echo-opt %s --split-input-file --whole-windows --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: (S) 1 scatters

// Of three columns the second is of windows of one element, which are in or out as a whole, and the third keeps the window inside.
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[I:.*]] = stablehlo.concatenate
// CHECK:         %[[FIRST:.*]] = stablehlo.slice %[[I]] [0:2, 0:1]
// CHECK:         %[[LOW:.*]] = stablehlo.compare GE, %[[FIRST]], %{{.*}}
// CHECK:         %[[HIGH:.*]] = stablehlo.compare LE, %[[FIRST]], %{{.*}}
// CHECK:         %[[IN:.*]] = stablehlo.and %[[LOW]], %[[HIGH]]
// CHECK:         %[[OUT:.*]] = stablehlo.constant dense<10> : tensor<2x1xi32>
// CHECK:         %[[GUARDED:.*]] = stablehlo.select %[[IN]], %[[FIRST]], %[[OUT]]
// CHECK:         %[[SECOND:.*]] = stablehlo.slice %[[I]] [0:2, 1:2]
// CHECK:         %[[THIRD:.*]] = stablehlo.slice %[[I]] [0:2, 2:3]
// CHECK:         %[[ALL:.*]] = stablehlo.concatenate %[[GUARDED]], %[[SECOND]], %[[THIRD]], dim = 1
// CHECK:         "stablehlo.scatter"(%arg0, %[[ALL]], %arg1)
func.func @columns(%x: tensor<10x5x7xf32>, %u: tensor<2x4x3xf32>, %i: tensor<2x2xi32>) -> tensor<10x5x7xf32> {
  %zero = stablehlo.constant dense<0> : tensor<2x1xi32>
  %all = stablehlo.concatenate %i, %zero, dim = 1 : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %0 = "stablehlo.scatter"(%x, %all, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x5x7xf32>, tensor<2x3xi32>, tensor<2x4x3xf32>) -> tensor<10x5x7xf32>
  return %0 : tensor<10x5x7xf32>
}

// -----

// What JAX clamps, as it writes it, stays as it is, and so do windows of one element and constant indices.
// CHECK-LABEL: func.func @clamped(
// CHECK-NOT:     stablehlo.select
func.func @clamped(%x: tensor<4x10x3xf32>, %i: tensor<4x2xi32>, %u: tensor<4x2x3xf32>, %v: tensor<4x3xf32>, %k: tensor<4x1xi32>) -> (tensor<4x10x3xf32>, tensor<4x10x3xf32>, tensor<4x10x3xf32>) {
  %c = stablehlo.constant dense<[8, 0]> : tensor<2xi32>
  %m = stablehlo.constant dense<2147483647> : tensor<i32>
  %8 = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %9 = stablehlo.minimum %c, %8 : tensor<2xi32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %11 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
  %12 = stablehlo.clamp %11, %i, %10 : tensor<4x2xi32>
  %a = "stablehlo.scatter"(%x, %12, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x10x3xf32>, tensor<4x2xi32>, tensor<4x2x3xf32>) -> tensor<4x10x3xf32>
  %b = "stablehlo.scatter"(%x, %k, %v) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x10x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<4x10x3xf32>
  %d = stablehlo.constant dense<[[0, 0], [8, 0], [3, 0], [4, 0]]> : tensor<4x2xi32>
  %e = "stablehlo.scatter"(%x, %d, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x10x3xf32>, tensor<4x2xi32>, tensor<4x2x3xf32>) -> tensor<4x10x3xf32>
  return %a, %b, %e : tensor<4x10x3xf32>, tensor<4x10x3xf32>, tensor<4x10x3xf32>
}

// -----

// Of columns in a part whose number is not known nothing is known.
// CHECK-LABEL: @unknown
// CHECK-COUNT-2: stablehlo.select
// CHECK:         "stablehlo.scatter"
module @unknown {
  func.func @main(%a: tensor<4x?xi32>, %b: tensor<4x1xi32>, %u: tensor<4x2x2xf32>, %y: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %i = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x?xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %0 = "stablehlo.scatter"(%y, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<5x5xf32>, tensor<4x2xi32>, tensor<4x2x2xf32>) -> tensor<5x5xf32>
    return %0 : tensor<5x5xf32>
  }
}
