// Gradients of contractions and reductions; see tests/unit/grad/gradient_test.c.
func.func @reduce_sum(%x: tensor<3x4x2xf64>) -> tensor<4xf64> {
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 2] : (tensor<3x4x2xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @reduce_max(%x: tensor<3x4x2xf64>) -> tensor<3x2xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4x2xf64>, tensor<f64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
func.func @reduce_min(%x: tensor<3x4x2xf64>) -> tensor<f64> {
  %c = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.minimum across dimensions = [0, 1, 2] : (tensor<3x4x2xf64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
func.func @reduce_product(%x: tensor<3x4x2xf64>) -> tensor<4xf64> {
  %c = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.multiply across dimensions = [0, 2] : (tensor<3x4x2xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @matmul(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}
func.func @dot_batched(%a: tensor<2x3x4xf64>, %b: tensor<4x5x2xf64>) -> tensor<2x3x5xf64> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [2], contracting_dims = [2] x [0] : (tensor<2x3x4xf64>, tensor<4x5x2xf64>) -> tensor<2x3x5xf64>
  return %0 : tensor<2x3x5xf64>
}
func.func @dot_two_contracted(%a: tensor<2x3x4xf64>, %b: tensor<4x5x3xf64>) -> tensor<2x5xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [2, 0] : (tensor<2x3x4xf64>, tensor<4x5x3xf64>) -> tensor<2x5xf64>
  return %0 : tensor<2x5xf64>
}
func.func @dot_outer(%a: tensor<2xf64>, %b: tensor<3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @dot(%a: tensor<2x3xf64>, %b: tensor<3xf64>) -> tensor<2xf64> {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
func.func @convolution(%x: tensor<2x5x6x3xf64>, %k: tensor<3x2x3x4xf64>) -> tensor<2x3x5x4xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf64>, tensor<3x2x3x4xf64>) -> tensor<2x3x5x4xf64>
  return %0 : tensor<2x3x5x4xf64>
}
func.func @convolution_dilated(%x: tensor<1x2x7xf64>, %k: tensor<3x2x3xf64>) -> tensor<1x3x10xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[0, 1]], lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x7xf64>, tensor<3x2x3xf64>) -> tensor<1x3x10xf64>
  return %0 : tensor<1x3x10xf64>
}
func.func @convolution_grouped(%x: tensor<2x4x5xf64>, %k: tensor<6x2x3xf64>) -> tensor<2x6x5xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x5xf64>, tensor<6x2x3xf64>) -> tensor<2x6x5xf64>
  return %0 : tensor<2x6x5xf64>
}
func.func @max_pool(%x: tensor<1x5x5x2xf64>) -> tensor<1x3x3x2xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<1x5x5x2xf64>, tensor<f64>) -> tensor<1x3x3x2xf64>
  return %0 : tensor<1x3x3x2xf64>
}
func.func @sum_pool(%x: tensor<1x6x5xf64>) -> tensor<1x3x2xf64> {
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 2, 3>, padding = dense<[[0, 0], [1, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<1x6x5xf64>, tensor<f64>) -> tensor<1x3x2xf64>
  return %0 : tensor<1x3x2xf64>
}
func.func @batch_norm_training(%x: tensor<4x3xf64>, %s: tensor<3xf64>, %o: tensor<3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0, %1, %2 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.000000e-01 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0, %1, %2 : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
}
func.func @batch_norm_inference(%x: tensor<4x3xf64>, %s: tensor<3xf64>, %o: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64> {test.low = 0.5, test.high = 2.0}) -> tensor<4x3xf64> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 1.000000e-01 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}
// From the right, too, with a zero in the middle: no division.
func.func @cumulative_product(%x: tensor<2x6xf64>) -> tensor<2x6xf64> {
  %c = stablehlo.constant dense<1.0> : tensor<f64>
  %m = stablehlo.constant dense<[[1.0, 1.0, 0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0, 1.0, 1.0]]> : tensor<2x6xf64>
  %y = stablehlo.multiply %x, %m : tensor<2x6xf64>
  %0 = "stablehlo.reduce_window"(%y, %c) <{window_dimensions = array<i64: 1, 6>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<2x6xf64>, tensor<f64>) -> tensor<2x6xf64>
  return %0 : tensor<2x6xf64>
}
// Padding is the initial value, at the edges and between elements.
func.func @product_pool(%x: tensor<4x5xf64>) -> tensor<3x3xf64> {
  %c = stablehlo.constant dense<1.5> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4x5xf64>, tensor<f64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
func.func @max_pool_dilated(%x: tensor<5x6xf64>) -> tensor<4x2xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 3>, padding = dense<[[0, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x6xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}
func.func @min_pool_dilated(%x: tensor<8xf64>) -> tensor<4xf64> {
  %c = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<8xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
// The gradient of max pooling, differentiated once more.
func.func @select_and_scatter(%x: tensor<1x6x5xf64>, %s: tensor<1x3x3xf64>) -> tensor<1x6x5xf64> {
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [0, 1], [1, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<1x6x5xf64>, tensor<1x3x3xf64>, tensor<f64>) -> tensor<1x6x5xf64>
  %2 = stablehlo.multiply %0, %x : tensor<1x6x5xf64>
  return %2 : tensor<1x6x5xf64>
}
func.func @select_and_scatter_least(%x: tensor<7xf64>, %s: tensor<3xf64>) -> tensor<7xf64> {
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare LE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<7xf64>, tensor<3xf64>, tensor<f64>) -> tensor<7xf64>
  return %0 : tensor<7xf64>
}
func.func @convolution_reversed(%x: tensor<2x5x6x3xf64>, %k: tensor<3x2x3x4xf64>) -> tensor<2x3x5x4xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf64>, tensor<3x2x3x4xf64>) -> tensor<2x3x5x4xf64>
  return %0 : tensor<2x3x5x4xf64>
}
func.func @convolution_batch_groups(%x: tensor<4x6x3xf64>, %k: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], reverse = [true]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x6x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}
func.func @convolution_batch_groups_first(%x: tensor<3x4x6xf64>, %k: tensor<4x3x2xf64>) -> tensor<4x2x5xf64> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [f, b, 0]x[o, i, 0]->[f, b, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<3x4x6xf64>, tensor<4x3x2xf64>) -> tensor<4x2x5xf64>
  return %0 : tensor<4x2x5xf64>
}
func.func @batch_norm_grad(%x: tensor<4x3xf64>, %s: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64> {test.low = 0.5, test.high = 2.0}, %g: tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 1.000000e-01 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %0#2 : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
}

// Linear algebra reads a triangle: what stands outside of it has no gradient.
func.func @cholesky_lower(%x: tensor<2x3x3xf64>) -> tensor<2x3x3xf64> {
  %cst = stablehlo.constant dense<[[4.0, 0.5, 0.3], [0.5, 5.0, 0.7], [0.3, 0.7, 6.0]]> : tensor<3x3xf64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %1 = stablehlo.add %x, %0 : tensor<2x3x3xf64>
  %2 = stablehlo.cholesky %1, lower = true : tensor<2x3x3xf64>
  return %2 : tensor<2x3x3xf64>
}
func.func @cholesky_upper(%x: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %cst = stablehlo.constant dense<[[4.0, 0.5, 0.3], [0.5, 5.0, 0.7], [0.3, 0.7, 6.0]]> : tensor<3x3xf64>
  %0 = stablehlo.add %x, %cst : tensor<3x3xf64>
  %1 = stablehlo.cholesky %0, lower = false : tensor<3x3xf64>
  return %1 : tensor<3x3xf64>
}
func.func @solve_left(%a: tensor<2x3x3xf64> {test.low = 0.5, test.high = 2.0}, %b: tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3x4xf64>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0, %1 : tensor<2x3x4xf64>, tensor<2x3x4xf64>
}
func.func @solve_right(%a: tensor<3x3xf64> {test.low = 0.5, test.high = 2.0}, %b: tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  return %0, %1 : tensor<4x3xf64>, tensor<4x3xf64>
}
