// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// One element of each row is set in a tensor of one number: what the gradient of picking it looks like. It becomes a comparison,
// which kernels compute where they read it. Two of the indices lie outside.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3x4x6xf32>
// CHECK-DAG:     %[[ROWS:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3x4xf32>
// CHECK-DAG:     %[[IOTA:.*]] = stablehlo.iota dim = 2 : tensor<3x4x6xi32>
// CHECK-DAG:     %[[SUM:.*]] = stablehlo.add %{{.*}}, %[[ROWS]] : tensor<3x4xf32>
// CHECK-DAG:     %[[PLACE:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<3x4xi32>) -> tensor<3x4x6xi32>
// CHECK-DAG:     %[[HIT:.*]] = stablehlo.compare EQ, %[[IOTA]], %[[PLACE]]
// CHECK-DAG:     %[[UPDATE:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [0, 1] : (tensor<3x4xf32>) -> tensor<3x4x6xf32>
// CHECK-DAG:     stablehlo.select %[[HIT]], %[[UPDATE]], %[[ZERO]]
// The filling stands between the rows' dimensions, and they come in another order.
// CHECK-DAG:     stablehlo.iota dim = 1 : tensor<4x6x3xi64>
// CHECK-DAG:     stablehlo.broadcast_in_dim %{{.*}}, dims = [2, 0] : (tensor<3x4xf32>) -> tensor<4x6x3xf32>
// CHECK-NOT:     stablehlo.scatter
// CHECK:         return
func.func @main(%update: tensor<3x4x1xf32>, %any: tensor<3x4xi32>) -> (tensor<3x4x6xf32>, tensor<4x6x3xf32>) {
  %some = stablehlo.constant dense<[[0, 5, 3, 6], [-1, 2, 2, 1], [4, 5, 0, 3]]> : tensor<3x4xi32>
  %no = stablehlo.constant dense<0> : tensor<3x4xi32>
  %nothing = stablehlo.and %any, %no : tensor<3x4xi32>
  %index = stablehlo.add %nothing, %some : tensor<3x4xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
  %at = stablehlo.reshape %index : (tensor<3x4xi32>) -> tensor<3x4x1x1xi32>
  %0 = "stablehlo.scatter"(%zeros, %at, %update) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4x6xf32>, tensor<3x4x1x1xi32>, tensor<3x4x1xf32>) -> tensor<3x4x6xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<4x6x3xf32>
  %wide = stablehlo.convert %index : (tensor<3x4xi32>) -> tensor<3x4xi64>
  %one = stablehlo.reshape %update : (tensor<3x4x1xf32>) -> tensor<3x4xf32>
  %1 = "stablehlo.scatter"(%minus, %wide, %one) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x6x3xf32>, tensor<3x4xi64>, tensor<3x4xf32>) -> tensor<4x6x3xf32>
  return %0, %1 : tensor<3x4x6xf32>, tensor<4x6x3xf32>
}

// Two updates may meet in a row; a row keeps more than one number; iota would wrap; the operand is no constant.
// CHECK-LABEL: func.func private @stay
// CHECK-COUNT-4: stablehlo.scatter
func.func private @stay(%x: tensor<3x6xf32>, %y: tensor<2x200xf32>, %i: tensor<3x2x1xi32>, %j: tensor<3x1xi32>, %k: tensor<2x1xi8>,
                %u: tensor<3x2xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>) -> (tensor<3x6xf32>, tensor<6x3xf32>, tensor<2x200xf32>, tensor<3x6xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<3x6xf32>
  %0 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x6xf32>, tensor<3x2x1xi32>, tensor<3x2xf32>) -> tensor<3x6xf32>
  %table = stablehlo.constant dense<0.0> : tensor<6x3xf32>
  %row = stablehlo.reshape %u : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %at = stablehlo.slice %j [0:2, 0:1] : (tensor<3x1xi32>) -> tensor<2x1xi32>
  %1 = "stablehlo.scatter"(%table, %at, %row) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %many = stablehlo.constant dense<0.0> : tensor<2x200xf32>
  %2 = "stablehlo.scatter"(%many, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<2x200xf32>, tensor<2x1xi8>, tensor<2xf32>) -> tensor<2x200xf32>
  %3 = "stablehlo.scatter"(%x, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x6xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3x6xf32>
  return %0, %1, %2, %3 : tensor<3x6xf32>, tensor<6x3xf32>, tensor<2x200xf32>, tensor<3x6xf32>
}
