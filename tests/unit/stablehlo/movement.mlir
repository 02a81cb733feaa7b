// Ops that move elements, and indices that are data.

func.func @shapes() -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<2x2x3xi32>, tensor<2x2x3xi32>, tensor<4x3xi32>, tensor<4x3xi32>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %want_0 = stablehlo.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %1 = stablehlo.reverse %x, dims = [1] : tensor<2x3xi32>
  %want_1 = stablehlo.constant dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
  %2 = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>
  %want_2 = stablehlo.constant dense<[[4, 6]]> : tensor<1x2xi32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xi32>) -> tensor<2x2x3xi32>
  %want_3 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<2x2x3xi32>
  %4 = stablehlo.concatenate %x, %1, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  %want_4 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [3, 2, 1], [6, 5, 4]]> : tensor<4x3xi32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3, %4, %want_4 : tensor<3x2xi32>, tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<2x2x3xi32>, tensor<2x2x3xi32>, tensor<4x3xi32>, tensor<4x3xi32>
}

// Dimension 1 of the result is dimension 0 of the operand, and the size 1 stretches.
func.func @broadcast_in_dim_out_of_order() -> (tensor<2x3x2xui8>, tensor<2x3x2xui8>) {
  %x = stablehlo.constant dense<[[1], [2], [3]]> : tensor<3x1xui8>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x1xui8>) -> tensor<2x3x2xui8>
  %want = stablehlo.constant dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xui8>
  return %0, %want : tensor<2x3x2xui8>, tensor<2x3x2xui8>
}

func.func @iota() -> (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xbf16>, tensor<2x3xbf16>) {
  %0 = stablehlo.iota dim = 0 : tensor<2x3xi8>
  %want_0 = stablehlo.constant dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xbf16>
  %want_1 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xbf16>
  return %0, %want_0, %1, %want_1 : tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xbf16>, tensor<2x3xbf16>
}

// Low and high padding of less than zero cut elements off, interior padding goes between first.
func.func @pad() -> (tensor<8xi32>, tensor<8xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %none = stablehlo.constant dense<[]> : tensor<0xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %x, %p, low = [1], high = [2], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<8xi32>
  %want_0 = stablehlo.constant dense<[9, 1, 9, 2, 9, 3, 9, 9]> : tensor<8xi32>
  %1 = stablehlo.pad %x, %p, low = [-1], high = [1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %want_1 = stablehlo.constant dense<[2, 3, 9]> : tensor<3xi32>
  %2 = stablehlo.pad %x, %p, low = [-1], high = [-2], interior = [2] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %want_2 = stablehlo.constant dense<[9, 9, 2, 9]> : tensor<4xi32>
  %3 = stablehlo.pad %none, %p, low = [1], high = [1], interior = [3] : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  %want_3 = stablehlo.constant dense<9> : tensor<2xi32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3 : tensor<8xi32>, tensor<8xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>
}

// Starts are moved so that the slice lies inside; a ui64 above the range of i64 is large, not negative.
func.func @dynamic_slice() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %u = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %below = stablehlo.constant dense<-100> : tensor<i8>
  %above = stablehlo.constant dense<3> : tensor<i32>
  %far = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %last = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_slice %x, %below, sizes = [2] : (tensor<4xi32>, tensor<i8>) -> tensor<2xi32>
  %want_0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.dynamic_slice %x, %above, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_slice %x, %far, sizes = [2] : (tensor<4xi32>, tensor<ui64>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_update_slice %x, %u, %below : (tensor<4xi32>, tensor<2xi32>, tensor<i8>) -> tensor<4xi32>
  %want_3 = stablehlo.constant dense<[8, 9, 3, 4]> : tensor<4xi32>
  %4 = stablehlo.dynamic_update_slice %x, %u, %far : (tensor<4xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<4xi32>
  %want_4 = stablehlo.constant dense<[1, 2, 8, 9]> : tensor<4xi32>
  return %0, %want_0, %1, %last, %2, %last, %3, %want_3, %4, %want_4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// Rows of a matrix, out of range clamped; then windows of two columns.
func.func @gather() -> (tensor<4x3xi32>, tensor<4x3xi32>, tensor<2x2x2xi32>, tensor<2x2x2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %rows = stablehlo.constant dense<[2, 0, -5, 7]> : tensor<4xi32>
  %0 = "stablehlo.gather"(%x, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<4xi32>) -> tensor<4x3xi32>
  %want_0 = stablehlo.constant dense<[[7, 8, 9], [1, 2, 3], [1, 2, 3], [7, 8, 9]]> : tensor<4x3xi32>
  // Index vectors stand in columns (index_vector_dim = 0) and name (column, row); the window comes first in the result.
  %at = stablehlo.constant dense<[[0, 2], [1, 0]]> : tensor<2x2xi64>
  %1 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 2, 2>}> : (tensor<3x3xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>
  // First vector: column 0, row 1 -> [[4, 5], [7, 8]]; second: column 2 clamped to 1, row 0 -> [[2, 3], [5, 6]].
  %want_1 = stablehlo.constant dense<[[[4, 5], [2, 3]], [[7, 8], [5, 6]]]> : tensor<2x2x2xi32>
  %far = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %line = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %2 = "stablehlo.gather"(%line, %far) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<2xui64>) -> tensor<2xi32>
  %want_2 = stablehlo.constant dense<[30, 20]> : tensor<2xi32>
  return %0, %want_0, %1, %want_1, %2, %want_2 : tensor<4x3xi32>, tensor<4x3xi32>, tensor<2x2x2xi32>, tensor<2x2x2xi32>, tensor<2xi32>, tensor<2xi32>
}

// Each batch of indices looks into its own batch of the operand.
func.func @gather_batched() -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %at = stablehlo.constant dense<[[[2], [0]], [[1], [1]]]> : tensor<2x2x1xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
  %want = stablehlo.constant dense<[[3, 1], [5, 5]]> : tensor<2x2xi32>
  return %0, %want : tensor<2x2xi32>, tensor<2x2xi32>
}

// Index 1 comes twice and adds up; elements that fall outside are left out, also of a window half inside.
func.func @scatter() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %x = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %at = stablehlo.constant dense<[[1], [3], [1], [-1], [4]]> : tensor<5x1xi32>
  %u = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<4xi32>
  %want_0 = stablehlo.constant dense<[10, 24, 30, 42]> : tensor<4xi32>
  %start = stablehlo.constant dense<[[3], [-1]]> : tensor<2x1xi64>
  %windows = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = "stablehlo.scatter"(%x, %start, %windows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi64>, tensor<2x2xi32>) -> tensor<4xi32>
  %want_1 = stablehlo.constant dense<[4, 20, 30, 1]> : tensor<4xi32>
  // Windows of the updates come first; index vectors name (column, row).
  %zeros = stablehlo.constant dense<0> : tensor<2x3xi32>
  %places = stablehlo.constant dense<[[2, 0], [0, 1]]> : tensor<2x2xi32>
  %values = stablehlo.constant dense<[5, 7]> : tensor<2xi32>
  %2 = "stablehlo.scatter"(%zeros, %places, %values) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  %want_2 = stablehlo.constant dense<[[0, 0, 5], [7, 0, 0]]> : tensor<2x3xi32>
  // The largest index there is: nothing overflows, nothing is written.
  %line = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %huge = stablehlo.constant dense<[[9223372036854775807]]> : tensor<1x1xi64>
  %pair = stablehlo.constant dense<[[8, 9]]> : tensor<1x2xi32>
  %3 = "stablehlo.scatter"(%line, %huge, %pair) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<3xi32>, tensor<1x1xi64>, tensor<1x2xi32>) -> tensor<3xi32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %line : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>
}

// Two inputs at once; the computation mixes them.
func.func @scatter_two_inputs() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>) {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi8>
  %at = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
  %u = stablehlo.constant dense<[0.5]> : tensor<1xf32>
  %v = stablehlo.constant dense<[10]> : tensor<1xi8>
  %0:2 = "stablehlo.scatter"(%x, %y, %at, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
    %s = stablehlo.subtract %a, %c : tensor<f32>
    %t = stablehlo.add %b, %d : tensor<i8>
    stablehlo.return %s, %t : tensor<f32>, tensor<i8>
  }) : (tensor<2xf32>, tensor<2xi8>, tensor<1x1xi32>, tensor<1xf32>, tensor<1xi8>) -> (tensor<2xf32>, tensor<2xi8>)
  %want_0 = stablehlo.constant dense<[1.0, 1.5]> : tensor<2xf32>
  %want_1 = stablehlo.constant dense<[3, 14]> : tensor<2xi8>
  return %0#0, %want_0, %0#1, %want_1 : tensor<2xf32>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>
}

func.func @sizes_and_barriers() -> (tensor<i32>, tensor<i32>, tensor<2xf16>, tensor<2xf16>) {
  %x = stablehlo.constant dense<0.0> : tensor<5x7xf32>
  %y = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf16>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<5x7xf32>) -> tensor<i32>
  %want = stablehlo.constant dense<7> : tensor<i32>
  %1:2 = stablehlo.optimization_barrier %x, %y : tensor<5x7xf32>, tensor<2xf16>
  return %0, %want, %1#1, %y : tensor<i32>, tensor<i32>, tensor<2xf16>, tensor<2xf16>
}
