// RUN: echo-opt %s --canonicalize | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// What is read at a constant place is a slice, moved so that it lies inside.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<5x4xf32>
// CHECK-DAG:     stablehlo.slice %[[X]] [2:4, 1:4] :
// CHECK-DAG:     stablehlo.slice %[[X]] [3:5, 0:3] :
// CHECK-DAG:     %[[ROW:.*]] = stablehlo.slice %[[X]] [3:4, 0:4] :
// CHECK-DAG:     stablehlo.reshape %[[ROW]] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-DAG:     stablehlo.slice %[[X]] [4:5, 0:1] :
// CHECK-NOT:     dynamic_slice
// CHECK-NOT:     gather
// CHECK:         return
func.func @main(%x: tensor<5x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf32>, tensor<1x1xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %far = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %none = stablehlo.constant dense<0> : tensor<ui64>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %place = stablehlo.constant dense<[[9, -7]]> : tensor<1x2xi32>
  %0 = stablehlo.dynamic_slice %x, %two, %one, sizes = [2, 3] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_slice %x, %far, %none, sizes = [2, 3] : (tensor<5x4xf32>, tensor<ui64>, tensor<ui64>) -> tensor<2x3xf32>
  %2 = "stablehlo.gather"(%x, %three) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %3 = "stablehlo.gather"(%x, %place) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<1x2xi32>) -> tensor<1x1xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf32>, tensor<1x1xf32>
}

// One at each of several places, and one at a place that is not constant, stay.
// CHECK-LABEL: func.func @others
// CHECK:         gather
// CHECK:         dynamic_slice
func.func @others(%x: tensor<5x4xf32>, %i: tensor<i32>) -> (tensor<2x4xf32>, tensor<1x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<1x4xf32>
}
