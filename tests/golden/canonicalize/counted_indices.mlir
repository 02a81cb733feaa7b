// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// What it gives is the same to the bit, with indices that are out of range too.
// RUN: echo-opt %s --canonicalize --cse --dce -o %t.mlir
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet

// x[arange(3), :, label]: the first column of the indices says "its own row"; so does the gradient's, which is then no scatter.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     stablehlo.concatenate
// CHECK:         "stablehlo.gather"(%{{.*}}, %[[LABEL:.*]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
// CHECK-NOT:     stablehlo.scatter
// CHECK:         stablehlo.compare EQ
// CHECK:         stablehlo.select
func.func @main(%x: tensor<3x5xf32>, %any: tensor<3xi32>, %g: tensor<3xf32>) -> (tensor<3xf32>, tensor<3x5xf32>) {
  %seven = stablehlo.constant dense<7> : tensor<3xi32>
  %three = stablehlo.constant dense<3> : tensor<3xi32>
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x5xf32>
  %label = stablehlo.remainder %any, %seven : tensor<3xi32>
  %count = stablehlo.iota dim = 0 : tensor<3xi32>
  %is_negative = stablehlo.compare LT, %count, %none : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %wrapped = stablehlo.add %count, %three : tensor<3xi32>
  %row = stablehlo.select %is_negative, %wrapped, %count : tensor<3xi1>, tensor<3xi32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %labels = stablehlo.reshape %label : (tensor<3xi32>) -> tensor<3x1xi32>
  %at = stablehlo.concatenate %rows, %labels, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %picked = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x5xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  %spread = "stablehlo.scatter"(%zeros, %at, %g) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<3x5xf32>
  return %picked, %spread : tensor<3xf32>, tensor<3x5xf32>
}

// Two counted columns, in another order than the dimensions; of a batch of one, the number is 0.
// CHECK-LABEL: func.func private @both
// CHECK:         #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 0], start_index_map = [2], index_vector_dim = 2>
// CHECK:         #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>
func.func private @both(%x: tensor<2x3x5xf32>, %label: tensor<3x2x1xi32>, %y: tensor<1x3x5xf32>, %one: tensor<1x3x1xi32>) -> (tensor<3x2xf32>, tensor<1x3xf32>) {
  %twos = stablehlo.iota dim = 1 : tensor<3x2x1xi32>
  %count = stablehlo.iota dim = 0 : tensor<3xi32>
  %threes = stablehlo.broadcast_in_dim %count, dims = [0] : (tensor<3xi32>) -> tensor<3x2x1xi32>
  %at = stablehlo.concatenate %twos, %threes, %label, dim = 2 : (tensor<3x2x1xi32>, tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> tensor<3x2x3xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x5xf32>, tensor<3x2x3xi32>) -> tensor<3x2xf32>
  %first = stablehlo.iota dim = 0 : tensor<1xi32>
  %none = stablehlo.broadcast_in_dim %first, dims = [0] : (tensor<1xi32>) -> tensor<1x3x1xi32>
  %row = stablehlo.broadcast_in_dim %count, dims = [1] : (tensor<3xi32>) -> tensor<1x3x1xi32>
  %where = stablehlo.concatenate %none, %row, %one, dim = 2 : (tensor<1x3x1xi32>, tensor<1x3x1xi32>, tensor<1x3x1xi32>) -> tensor<1x3x3xi32>
  %1 = "stablehlo.gather"(%y, %where) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x3x5xf32>, tensor<1x3x3xi32>) -> tensor<1x3xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<1x3xf32>
}

// What counts along another dimension, or fewer rows than there are, says something else.
// CHECK-LABEL: func.func private @others
// CHECK:         stablehlo.concatenate
// CHECK:         #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>
// CHECK:         stablehlo.concatenate
// CHECK:         #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>
func.func private @others(%x: tensor<4x5xf32>, %label: tensor<3x1xi32>, %y: tensor<2x2x5xf32>, %labels: tensor<2x2x1xi32>) -> (tensor<3xf32>, tensor<2x2xf32>) {
  %row = stablehlo.iota dim = 0 : tensor<3x1xi32>
  %at = stablehlo.concatenate %row, %label, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  %any = stablehlo.constant dense<1> : tensor<2x2x1xi32>
  %where = stablehlo.concatenate %any, %labels, %any, dim = 2 : (tensor<2x2x1xi32>, tensor<2x2x1xi32>, tensor<2x2x1xi32>) -> tensor<2x2x3xi32>
  %1 = "stablehlo.gather"(%y, %where) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x2x5xf32>, tensor<2x2x3xi32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<3xf32>, tensor<2x2xf32>
}

// In a batch of one, JAX takes the batch for a window of the update.
// CHECK-LABEL: func.func private @batch_of_one
// CHECK-NOT:     stablehlo.scatter
// CHECK:         stablehlo.compare EQ, {{.*}} : (tensor<1x3x5xi32>, tensor<1x3x5xi32>) -> tensor<1x3x5xi1>
func.func private @batch_of_one(%label: tensor<3x1x1xi32>, %g: tensor<1x3x1xf32>) -> tensor<1x3x5xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<1x3x5xf32>
  %0 = "stablehlo.scatter"(%zeros, %label, %g) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [2], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x3x5xf32>, tensor<3x1x1xi32>, tensor<1x3x1xf32>) -> tensor<1x3x5xf32>
  return %0 : tensor<1x3x5xf32>
}
