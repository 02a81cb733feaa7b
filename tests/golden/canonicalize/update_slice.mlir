// RUN: echo-opt %s --canonicalize | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// One window that overwrites what stands at a constant place is an update slice: what `x.at[2].set(row)` is in JAX's text. A window
// that does not fit stays a scatter, which drops what lies outside; so does one that adds, and one at a place that is not constant.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i64>
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i64>
// CHECK:         %[[ROW:.*]] = stablehlo.reshape %arg1 : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
// CHECK:         stablehlo.dynamic_update_slice %arg0, %[[ROW]], %[[TWO]], %[[ZERO]], %{{.*}} :
// CHECK-COUNT-3: stablehlo.scatter
func.func @main(%x: tensor<5x3x4xf32>, %row: tensor<3x4xf32>, %i: tensor<1xi32>) -> (tensor<5x3x4xf32>, tensor<5x3x4xf32>, tensor<5x3x4xf32>, tensor<5x3x4xf32>) {
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %two, %row) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5x3x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<5x3x4xf32>
  %1 = "stablehlo.scatter"(%x, %five, %row) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5x3x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<5x3x4xf32>
  %2 = "stablehlo.scatter"(%x, %two, %row) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x3x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<5x3x4xf32>
  %3 = "stablehlo.scatter"(%x, %i, %row) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5x3x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<5x3x4xf32>
  return %0, %1, %2, %3 : tensor<5x3x4xf32>, tensor<5x3x4xf32>, tensor<5x3x4xf32>, tensor<5x3x4xf32>
}
