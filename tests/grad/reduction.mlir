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
