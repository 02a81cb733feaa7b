// Contractions, convolutions, reductions, windows and sorts.

func.func @dot_general() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<i64>, tensor<i64>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[1, 0, 2], [-1, 1, 1]]> : tensor<2x3xi32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
  %want_0 = stablehlo.constant dense<[[7, 4], [16, 7]]> : tensor<2x2xi32>
  // The batch is dimension 1 on the left and 0 on the right.
  %c = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %d = stablehlo.constant dense<[[[1.0], [10.0]], [[100.0], [1000.0]]]> : tensor<2x2x1xf32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<1x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x1x1xf32>
  %want_1 = stablehlo.constant dense<[[[21.0]], [[4300.0]]]> : tensor<2x1x1xf32>
  // Integers wrap around: 3037000500^2 is above 2^63.
  %e = stablehlo.constant dense<[3037000500]> : tensor<1xi64>
  %2 = stablehlo.dot_general %e, %e, contracting_dims = [0] x [0] : (tensor<1xi64>, tensor<1xi64>) -> tensor<i64>
  %want_2 = stablehlo.constant dense<-9223372036709301616> : tensor<i64>
  // A contraction over nothing is zero.
  %f = stablehlo.constant dense<> : tensor<2x0xf32>
  %3 = stablehlo.dot_general %f, %f, contracting_dims = [1] x [1] : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x2xf32>
  %want_3 = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<i64>, tensor<i64>, tensor<2x2xf32>, tensor<2x2xf32>
}

// i8 by i8 into i32 does not wrap in i8; predicates contract by and, or.
func.func @dot_of_small_types() -> (tensor<i32>, tensor<i32>, tensor<2xi1>, tensor<2xi1>) {
  %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  %want_0 = stablehlo.constant dense<20000> : tensor<i32>
  %p = stablehlo.constant dense<[[true, true], [true, false]]> : tensor<2x2xi1>
  %q = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %want_1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  return %0, %want_0, %1, %want_1 : tensor<i32>, tensor<i32>, tensor<2xi1>, tensor<2xi1>
}

// One row of five, kernel [1, 10]: window 0 is 1 + 2 * 10.
func.func @convolution() -> (tensor<1x1x4xi64>, tensor<1x1x4xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x8xi64>, tensor<1x1x8xi64>, tensor<1x1x4xi64>, tensor<1x1x4xi64>) {
  %x = stablehlo.constant dense<[[[1, 2, 3, 4, 5]]]> : tensor<1x1x5xi64>
  %w = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi64>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5xi64>, tensor<1x1x2xi64>) -> tensor<1x1x4xi64>
  %want_0 = stablehlo.constant dense<[[[21, 32, 43, 54]]]> : tensor<1x1x4xi64>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5xi64>, tensor<1x1x2xi64>) -> tensor<1x1x3xi64>
  %want_1 = stablehlo.constant dense<[[[10, 32, 54]]]> : tensor<1x1x3xi64>
  // Kernel positions two apart.
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5xi64>, tensor<1x1x2xi64>) -> tensor<1x1x3xi64>
  %want_2 = stablehlo.constant dense<[[[31, 42, 53]]]> : tensor<1x1x3xi64>
  // Holes in the input: 1 0 2 0 3 0 4 0 5.
  %3 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5xi64>, tensor<1x1x2xi64>) -> tensor<1x1x8xi64>
  %want_3 = stablehlo.constant dense<[[[1, 20, 2, 30, 3, 40, 4, 50]]]> : tensor<1x1x8xi64>
  %4 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5xi64>, tensor<1x1x2xi64>) -> tensor<1x1x4xi64>
  %want_4 = stablehlo.constant dense<[[[12, 23, 34, 45]]]> : tensor<1x1x4xi64>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3, %4, %want_4 : tensor<1x1x4xi64>, tensor<1x1x4xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x3xi64>, tensor<1x1x8xi64>, tensor<1x1x8xi64>, tensor<1x1x4xi64>, tensor<1x1x4xi64>
}

// Channels last. Feature groups: output 0 sees channel 0, output 1 channel 1. Batch groups: output 0 sees image 0, output 1 image 1.
func.func @convolution_groups() -> (tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x1x1xi64>, tensor<1x1x1xi64>) {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
  %w = stablehlo.constant dense<[[[10, 100]]]> : tensor<1x1x2xi32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>
  %want_0 = stablehlo.constant dense<[[[10, 200], [30, 400]]]> : tensor<1x2x2xi32>
  %y = stablehlo.constant dense<[[[1], [3]], [[2], [4]]]> : tensor<2x2x1xi32>
  %1 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x2x1xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>
  // 2^53 + 1 has no f64: sums of integers stay integers.
  %big = stablehlo.constant dense<9007199254740993> : tensor<1x1x1xi64>
  %one = stablehlo.constant dense<1> : tensor<1x1x1xi64>
  %2 = stablehlo.convolution(%big, %one) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xi64>, tensor<1x1x1xi64>) -> tensor<1x1x1xi64>
  return %0, %want_0, %1, %want_0, %2, %big : tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x2x2xi32>, tensor<1x1x1xi64>, tensor<1x1x1xi64>
}

func.func @reduce() -> (tensor<3xi32>, tensor<3xi32>, tensor<2xf32>, tensor<2xf32>, tensor<f16>, tensor<f16>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %ten) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %want_0 = stablehlo.constant dense<[15, 17, 19]> : tensor<3xi32>
  %y = stablehlo.constant dense<[[1.0, -0.0, 0x7FC00000], [-2.0, -0.0, 0.0]]> : tensor<2x3xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%y init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %want_1 = stablehlo.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  // 2048 + 1 + 1 in f16: each sum by itself would be rounded back to 2048.
  %h = stablehlo.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %2 = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf16>, tensor<f16>) -> tensor<f16>
  %want_2 = stablehlo.constant dense<2050.0> : tensor<f16>
  // Over nothing: the initial value.
  %none = stablehlo.constant dense<> : tensor<2x0xf32>
  %3 = stablehlo.reduce(%none init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  %want_3 = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %p = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %4 = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  %want_4 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3, %4, %want_4 : tensor<3xi32>, tensor<3xi32>, tensor<2xf32>, tensor<2xf32>, tensor<f16>, tensor<f16>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>
}

// The largest element and where it stands: two inputs, a region of several ops.
func.func @reduce_two_inputs() -> (tensor<2xf64>, tensor<2xf64>, tensor<2xi32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[[1.0, 7.0, 7.0], [3.0, 2.0, 1.0]]> : tensor<2x3xf64>
  %at = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %lowest = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %lowest), (%at init: %zero) across dimensions = [1] : (tensor<2x3xf64>, tensor<2x3xi32>, tensor<f64>, tensor<i32>) -> (tensor<2xf64>, tensor<2xi32>)
   reducer(%a: tensor<f64>, %c: tensor<f64>) (%b: tensor<i32>, %d: tensor<i32>)  {
    %keep = stablehlo.compare GE, %a, %c, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %v = stablehlo.select %keep, %a, %c : tensor<i1>, tensor<f64>
    %i = stablehlo.select %keep, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %i : tensor<f64>, tensor<i32>
  }
  %want_0 = stablehlo.constant dense<[7.0, 3.0]> : tensor<2xf64>
  %want_1 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  return %0#0, %want_0, %0#1, %want_1 : tensor<2xf64>, tensor<2xf64>, tensor<2xi32>, tensor<2xi32>
}

// A region that is the operation with its arguments the other way round: 10 - (3 - (2 - (1 - 0))) as x - accumulated.
func.func @reduce_swapped() -> (tensor<i32>, tensor<i32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 10]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>)  {
    %s = stablehlo.subtract %b, %a : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  %want = stablehlo.constant dense<8> : tensor<i32>
  return %0, %want : tensor<i32>, tensor<i32>
}

// Windows of two with stride 2 over a padded row: (0, 1) (2, 3) (4, 0); then dilated windows (1, 3), (2, 4); then over 1 _ 2 _ 3 _ 4.
func.func @reduce_window() -> (tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<6xi32>, tensor<6xi32>, tensor<1x2xi32>, tensor<1x2xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %want_0 = stablehlo.constant dense<[1, 5, 4]> : tensor<3xi32>
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %want_1 = stablehlo.constant dense<[4, 6]> : tensor<2xi32>
  %2 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<6xi32>
  %want_2 = stablehlo.constant dense<[1, 2, 2, 3, 3, 4]> : tensor<6xi32>
  // Negative padding cuts the first row and the last column off.
  %y = stablehlo.constant dense<[[9, 9, 9], [1, 2, 9], [3, 4, 9]]> : tensor<3x3xi32>
  %3 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 2, 1>, padding = dense<[[-1, 0], [0, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x3xi32>, tensor<i32>) -> tensor<1x2xi32>
  %want_3 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3 : tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<6xi32>, tensor<6xi32>, tensor<1x2xi32>, tensor<1x2xi32>
}

// Windows (5, 7), (7, 7), (7, 2): of equal elements the first is selected. Element 1 is chosen by the first two windows.
func.func @select_and_scatter() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %x = stablehlo.constant dense<[5, 7, 7, 2]> : tensor<4xi32>
  %source = stablehlo.constant dense<[1, 10, 100]> : tensor<3xi32>
  %init = stablehlo.constant dense<1000> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %want_0 = stablehlo.constant dense<[1000, 1011, 1100, 1000]> : tensor<4xi32>
  // With padding and a stride: windows (_, 5), (7, 7), (2, _).
  %1 = "stablehlo.select_and_scatter"(%x, %source, %init) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %want_1 = stablehlo.constant dense<[1001, 1000, 1010, 1100]> : tensor<4xi32>
  return %0, %want_0, %1, %want_1 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// Columns sorted downwards by the first input, stable; the second goes along.
func.func @sort() -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi8>, tensor<3x2xi8>) {
  %x = stablehlo.constant dense<[[1, 5], [3, 5], [2, 9]]> : tensor<3x2xi32>
  %y = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi8>
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i8>, %d: tensor<i8>):
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3x2xi32>, tensor<3x2xi8>) -> (tensor<3x2xi32>, tensor<3x2xi8>)
  %want_0 = stablehlo.constant dense<[[3, 9], [2, 5], [1, 5]]> : tensor<3x2xi32>
  %want_1 = stablehlo.constant dense<[[30, 60], [50, 20], [10, 40]]> : tensor<3x2xi8>
  return %0#0, %want_0, %0#1, %want_1 : tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi8>, tensor<3x2xi8>
}

func.func @map() -> (tensor<3xi32>, tensor<3xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    %t = stablehlo.subtract %s, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %want = stablehlo.constant dense<[0, 20, 60]> : tensor<3xi32>
  return %0, %want : tensor<3xi32>, tensor<3xi32>
}
