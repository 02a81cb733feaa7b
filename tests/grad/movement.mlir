// Gradients of ops that move elements; see tests/unit/grad/gradient_test.c.
func.func @broadcast_in_dim(%x: tensor<3x1xf64>) -> tensor<4x3x2xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<3x1xf64>) -> tensor<4x3x2xf64>
  return %0 : tensor<4x3x2xf64>
}
func.func @broadcast_in_dim_swapped(%x: tensor<3x2xf64>) -> tensor<2x4x3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<3x2xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}
func.func @reshape(%x: tensor<2x6xf64>) -> tensor<3x4xf64> {
  %0 = stablehlo.reshape %x : (tensor<2x6xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
func.func @transpose(%x: tensor<2x3x4xf64>) -> tensor<4x2x3xf64> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>
  return %0 : tensor<4x2x3xf64>
}
func.func @reverse(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @slice_strided(%x: tensor<7x4xf64>) -> tensor<3x2xf64> {
  %0 = stablehlo.slice %x [1:6:2, 1:3] : (tensor<7x4xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
func.func @slices_that_tile(%x: tensor<2x6xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) {
  %0 = stablehlo.slice %x [0:2, 0:2] : (tensor<2x6xf64>) -> tensor<2x2xf64>
  %1 = stablehlo.slice %x [0:2, 2:4] : (tensor<2x6xf64>) -> tensor<2x2xf64>
  %2 = stablehlo.slice %x [0:2, 4:6] : (tensor<2x6xf64>) -> tensor<2x2xf64>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>
}
func.func @slices_with_gaps_and_repeats(%x: tensor<7xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<1xf64>) {
  %0 = stablehlo.slice %x [4:6] : (tensor<7xf64>) -> tensor<2xf64>
  %1 = stablehlo.slice %x [4:6] : (tensor<7xf64>) -> tensor<2xf64>
  %2 = stablehlo.slice %x [1:2] : (tensor<7xf64>) -> tensor<1xf64>
  %3 = stablehlo.multiply %0, %1 : tensor<2xf64>
  return %3, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<1xf64>
}
func.func @slices_that_overlap(%x: tensor<6xf64>) -> (tensor<3xf64>, tensor<4xf64>) {
  %0 = stablehlo.slice %x [0:3] : (tensor<6xf64>) -> tensor<3xf64>
  %1 = stablehlo.slice %x [2:6] : (tensor<6xf64>) -> tensor<4xf64>
  return %0, %1 : tensor<3xf64>, tensor<4xf64>
}
func.func @concatenate(%x: tensor<2x2xf64>, %y: tensor<2x3xf64>) -> tensor<2x5xf64> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x2xf64>, tensor<2x3xf64>) -> tensor<2x5xf64>
  return %0 : tensor<2x5xf64>
}
func.func @pad(%x: tensor<3x2xf64>, %v: tensor<f64>) -> tensor<6x4xf64> {
  %0 = stablehlo.pad %x, %v, low = [1, 2], high = [0, 0], interior = [1, 0] : (tensor<3x2xf64>, tensor<f64>) -> tensor<6x4xf64>
  return %0 : tensor<6x4xf64>
}
func.func @pad_negative(%x: tensor<5xf64>, %v: tensor<f64>) -> tensor<5xf64> {
  %0 = stablehlo.pad %x, %v, low = [-1], high = [1], interior = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @dynamic_slice(%x: tensor<5x4xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x3xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : (tensor<5x4xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @dynamic_update_slice(%x: tensor<5x4xf64>, %u: tensor<2x2xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<5x4xf64> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<5x4xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<5x4xf64>
  return %0 : tensor<5x4xf64>
}
func.func @gather_rows(%x: tensor<5x3xf64>, %ids: tensor<2x2xi32> {test.high = 5.0}) -> tensor<2x2x3xf64> {
  %0 = "stablehlo.gather"(%x, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<5x3xf64>, tensor<2x2xi32>) -> tensor<2x2x3xf64>
  return %0 : tensor<2x2x3xf64>
}
func.func @scatter_add(%x: tensor<5x3xf64>, %ids: tensor<4x1xi32> {test.high = 5.0}, %u: tensor<4x3xf64>) -> tensor<5x3xf64> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x3xf64>, tensor<4x1xi32>, tensor<4x3xf64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
func.func @optimization_barrier(%x: tensor<3xf64>, %y: tensor<2xf64>) -> (tensor<3xf64>, tensor<2xf64>) {
  %0, %1 = stablehlo.optimization_barrier %x, %y : tensor<3xf64>, tensor<2xf64>
  %2 = stablehlo.tanh %0 : tensor<3xf64>
  return %2, %1 : tensor<3xf64>, tensor<2xf64>
}
// Ids from -3 to 8 of five rows: those outside are moved to the edge, and so is what flows back.
func.func @gather_outside(%x: tensor<5x3xf64>, %ids: tensor<7xi32> {test.low = -3.0, test.high = 9.0}) -> tensor<7x3xf64> {
  %0 = "stablehlo.gather"(%x, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<5x3xf64>, tensor<7xi32>) -> tensor<7x3xf64>
  return %0 : tensor<7x3xf64>
}
// Windows of 2 by 1, index vectors (column, row) in columns of ui8.
func.func @gather_windows(%x: tensor<5x3xf64>, %ids: tensor<2x7xui8> {test.high = 9.0}) -> tensor<2x7xf64> {
  %0 = "stablehlo.gather"(%x, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 2, 1>, indices_are_sorted = false}> : (tensor<5x3xf64>, tensor<2x7xui8>) -> tensor<2x7xf64>
  return %0 : tensor<2x7xf64>
}
// What is scattered outside is lost, also of a window half inside.
func.func @scatter_add_outside(%x: tensor<6xf64>, %ids: tensor<5x1xi32> {test.low = -3.0, test.high = 9.0}, %u: tensor<5x3xf64>) -> tensor<6xf64> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<6xf64>, tensor<5x1xi32>, tensor<5x3xf64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
// Seven updates to five rows, some outside: of those to one place the last stays.
func.func @scatter_overwrite(%x: tensor<5x3xf64>, %ids: tensor<7x1xi32> {test.low = -2.0, test.high = 7.0}, %u: tensor<7x3xf64>) -> tensor<5x3xf64> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %b : tensor<f64>
  }) : (tensor<5x3xf64>, tensor<7x1xi32>, tensor<7x3xf64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
func.func @scatter_multiply(%x: tensor<2x5xf64>, %u: tensor<3xf64>) -> tensor<2x5xf64> {
  %at = stablehlo.constant dense<[[0, 1], [1, 4], [1, 5]]> : tensor<3x2xi64>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.multiply %b, %a : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x5xf64>, tensor<3x2xi64>, tensor<3xf64>) -> tensor<2x5xf64>
  return %0 : tensor<2x5xf64>
}
// Sorted by the first operand, descending; the second goes along.
func.func @sort(%x: tensor<5x3xf64>, %y: tensor<5x3xf64>, %n: tensor<5x3xi32>) -> (tensor<5x3xf64>, tensor<5x3xf64>) {
  %0:3 = "stablehlo.sort"(%x, %y, %n) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>, %e: tensor<i32>, %f: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<5x3xf64>, tensor<5x3xf64>, tensor<5x3xi32>) -> (tensor<5x3xf64>, tensor<5x3xf64>, tensor<5x3xi32>)
  return %0#0, %0#1 : tensor<5x3xf64>, tensor<5x3xf64>
}
// Updates that meet; some are zero.
func.func @scatter_multiply_meeting(%x: tensor<5x3xf64>, %ids: tensor<9x1xi32> {test.low = -1.0, test.high = 6.0}, %u: tensor<9x3xf64>) -> tensor<5x3xf64> {
  %m = stablehlo.constant dense<[[0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<9x3xf64>
  %v = stablehlo.multiply %u, %m : tensor<9x3xf64>
  %0 = "stablehlo.scatter"(%x, %ids, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x3xf64>, tensor<9x1xi32>, tensor<9x3xf64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
func.func @scatter_maximum(%x: tensor<5x3xf64>, %ids: tensor<9x1xi32> {test.low = -1.0, test.high = 6.0}, %u: tensor<9x3xf64>) -> tensor<5x3xf64> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x3xf64>, tensor<9x1xi32>, tensor<9x3xf64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
func.func @scatter_minimum(%x: tensor<5x3xf64>, %ids: tensor<9x1xi32> {test.low = -1.0, test.high = 6.0}, %u: tensor<9x3xf64>) -> tensor<5x3xf64> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x3xf64>, tensor<9x1xi32>, tensor<9x3xf64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
func.func @broadcast(%x: tensor<2x3xf64>) -> tensor<4x2x3xf64> {
  %0 = stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xf64>) -> tensor<4x2x3xf64>
  return %0 : tensor<4x2x3xf64>
}
