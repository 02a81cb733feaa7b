// RUN: echo-opt %s --refine-shapes | FileCheck %s
// RUN: echo-run %s --no-cache --check --quiet

// Shapes that are constant operands become attributes.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     dynamic_reshape
// CHECK-NOT:     dynamic_iota
// CHECK-NOT:     dynamic_pad
// CHECK-NOT:     dynamic_broadcast
// CHECK-NOT:     dynamic_gather
// CHECK-NOT:     dynamic_slice
// CHECK-NOT:     dynamic_conv
// CHECK-NOT:     set_dimension_size
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %three = stablehlo.constant dense<3> : tensor<1xi64>
  %square = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %pad = stablehlo.constant dense<9.0> : tensor<f32>
  %0 = stablehlo.dynamic_reshape %x, %square : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.dynamic_iota %square, dim = 1 : (tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[0, 1], [0, 1]]> : tensor<2x2xi32>
  %2 = stablehlo.dynamic_pad %x, %pad, %one, %zero, %one : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  check.expect_eq_const %2, dense<[9.0, 1.0, 9.0, 2.0, 9.0, 3.0, 9.0, 4.0]> : tensor<8xf32>
  %3 = stablehlo.real_dynamic_slice %x, %one, %three, %two : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  check.expect_eq_const %3, dense<[2.0]> : tensor<1xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %pad, %square, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %4, dense<9.0> : tensor<2x2xf32>
  %at = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %5 = "stablehlo.dynamic_gather"(%x, %at, %two) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4xf32>, tensor<2x1xi32>, tensor<1xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %5, dense<[[3.0, 4.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %image = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<1x2x2x1xf32>
  %filter = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %none = stablehlo.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>
  %6 = "stablehlo.dynamic_conv"(%image, %filter, %none) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x2x2x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x2x1x1xf32>
  check.expect_eq_const %6, dense<[[[[3.0]], [[10.0]]]]> : tensor<1x2x1x1xf32>
  %count = stablehlo.constant dense<3> : tensor<i32>
  %7 = stablehlo.set_dimension_size %x, %count, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %8 = stablehlo.add %7, %7 : tensor<?xf32, #stablehlo.bounds<4>>
  %sum = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %sum) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %9, dense<12.0> : tensor<f32>
  %10 = stablehlo.get_dimension_size %8, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %10, dense<3> : tensor<i32>
  func.return
}
