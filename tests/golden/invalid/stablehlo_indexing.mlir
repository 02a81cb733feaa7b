// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about indexing, once.

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op rank 3 of the operand is not the number of window, left out and batching dimensions (2 + 0 + 0)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op index_vector_dim 4 is out of range [0, 3]}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 4>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op list of left out dimensions has dimension 3, out of range [0, 3)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [3], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op list of left out dimensions is not sorted}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1, 0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op dimension 0 is both left out and batching}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op dimension 0 is both indexed and batching}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op index_vector_dim 2 is a batching dimension}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op has 1 batching dimensions of the operand, but 0 of the indices}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], operand_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op batching dimension 0 has size 3 in the operand, 2 in the indices}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op index vectors have 2 entries, the index map has 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op slice_sizes has 2 entries, expected 3}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op slice size 5 of dimension 1 is not in [0, 4]}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 5, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op slice size 2 of collapsed or batching dimension 0 is not 0 or 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 2, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op offset_dims is not sorted}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error@+1 {{'stablehlo.gather' op requires attribute 'dimension_numbers'}}
  %0 = "stablehlo.gather"(%a, %i) <{slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<?x?xf32>, %i: tensor<4x1xi32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_gather' op result has type 'tensor<5x?xf32>', inferred 'tensor<4x?xf32>'}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x?xf32>, tensor<4x1xi32>, tensor<2xi64>) -> tensor<5x?xf32>
  return
}

// -----

func.func @f(%a: tensor<?x?xf32>, %i: tensor<4x1xi32>, %s: tensor<?xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_gather' op operand #2 must be statically shaped 1-dimensional tensor of integers, but got 'tensor<?xi64>'}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x?xf32>, tensor<4x1xi32>, tensor<?xi64>) -> tensor<4x?xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %b: tensor<3x4x2xf64>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op updates of rank 3 have not 2 scatter and 2 window dimensions}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2xf32>) -> tensor<3x4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %b: tensor<3x4x2xf64>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x5x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op update window is larger than the operand in dimension 1 (5 > 4)}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x5x2xf32>) -> tensor<3x4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %b: tensor<3x4x2xf64>, %i: tensor<2x3x2xi64>, %u: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op scatter dimension 1 of updates has size 4, indices have 3}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x4x2x2xf32>) -> tensor<3x4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %b: tensor<3x4x2xf64>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op update_window_dims is not sorted}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x4x2xf32>, %b: tensor<3x4x2xf64>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op input 0 and its updates have different element types: 'tensor<3x4x2xf64>', 'tensor<2x3x2x2xf32>'}}
  %0 = "stablehlo.scatter"(%b, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf64>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf64>
  return
}

// -----

func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' op inputs have different shapes: 'tensor<3xf32>', 'tensor<4xf32>'}}
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>, tensor<2xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%a: tensor<3xf32>, %i: tensor<2x1xi64>) {
  // expected-error@+1 {{'stablehlo.scatter' op expects n inputs, indices and n updates, got 2 operands}}
  %0 = "stablehlo.scatter"(%a, %i) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<2x1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %i: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) {
  // expected-error@+1 {{'stablehlo.gather' op result has more than 64 dimensions}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 33>, slice_sizes = array<i64: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>}> : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) -> tensor<1xf32>
  return
}
