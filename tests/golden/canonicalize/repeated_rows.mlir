// Rows of known places, each so many times, or in steps: what a resize by the nearest element reads, and its gradient.
// RUN: echo-opt %s --canonicalize | FileCheck %s
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-opt %t.mlir --canonicalize | diff %t.mlir -

// CHECK-LABEL: @twice
// CHECK:       %[[EACH:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 3] : (tensor<2x4x3xf32>) -> tensor<2x4x2x3xf32>
// CHECK-NEXT:  %[[ROWS:.*]] = stablehlo.reshape %[[EACH]] : (tensor<2x4x2x3xf32>) -> tensor<2x8x3xf32>
// CHECK-NEXT:  return %[[ROWS]]
func.func @twice(%x: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  %n = stablehlo.iota dim = 0 : tensor<8xf32>
  %half = stablehlo.constant dense<0.5> : tensor<8xf32>
  %at = stablehlo.multiply %n, %half : tensor<8xf32>
  %floor = stablehlo.floor %at : tensor<8xf32>
  %i = stablehlo.convert %floor : (tensor<8xf32>) -> tensor<8xi32>
  %indices = stablehlo.reshape %i : (tensor<8xi32>) -> tensor<8x1xi32>
  %rows = "stablehlo.gather"(%x, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 3>}> : (tensor<2x4x3xf32>, tensor<8x1xi32>) -> tensor<2x8x3xf32>
  return %rows : tensor<2x8x3xf32>
}

// Each third row; indices beyond the last are the last, which is one more of it.
// CHECK-LABEL: @thirds
// CHECK:       stablehlo.slice %arg0 [1:8:3, 0:3] : (tensor<9x3xf32>) -> tensor<3x3xf32>
// CHECK-LABEL: @clamped
// CHECK:       %[[LAST:.*]] = stablehlo.slice %arg0 [8:9, 0:3]
// CHECK:       stablehlo.broadcast_in_dim %{{.*}} -> tensor<{{.*}}3xf32>
// CHECK-NOT:   stablehlo.gather
func.func @thirds(%x: tensor<9x3xf32>) -> tensor<3x3xf32> {
  %i = stablehlo.constant dense<[[1], [4], [7]]> : tensor<3x1xi32>
  %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<9x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
  return %rows : tensor<3x3xf32>
}
func.func @clamped(%x: tensor<9x3xf32>) -> tensor<2x2x3xf32> {
  %i = stablehlo.constant dense<[[8, 11], [9, 10]]> : tensor<2x2xi32>
  %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>}> : (tensor<9x3xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
  return %rows : tensor<2x2x3xf32>
}

// Of two rows the order of a sum is one; of three it would be another.
// CHECK-LABEL: @gradient
// CHECK:       %[[PAIRS:.*]] = stablehlo.reshape %arg0 : (tensor<8x3xf32>) -> tensor<4x2x3xf32>
// CHECK:       stablehlo.reduce(%[[PAIRS]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK-LABEL: @gradient_of_three
// CHECK:       stablehlo.scatter
func.func @gradient(%g: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %i = stablehlo.constant dense<[[0], [0], [1], [1], [2], [2], [3], [3]]> : tensor<8x1xi32>
  %sums = "stablehlo.scatter"(%zero, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<8x1xi32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %sums : tensor<4x3xf32>
}
func.func @gradient_of_three(%g: tensor<6x3xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[0], [0], [0], [1], [1], [1]]> : tensor<6x1xi32>
  %sums = "stablehlo.scatter"(%zero, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<6x1xi32>, tensor<6x3xf32>) -> tensor<2x3xf32>
  return %sums : tensor<2x3xf32>
}

// What a scatter writes outside goes nowhere, and is no row of its end; -0 is not what sums begin with; not evenly apart; not known.
// CHECK-LABEL: @dropped
// CHECK:       stablehlo.scatter
// CHECK-LABEL: @from_minus_zero
// CHECK:       stablehlo.scatter
// CHECK-LABEL: @uneven
// CHECK:       stablehlo.gather
// CHECK-LABEL: @unknown
// CHECK:       stablehlo.gather
func.func @dropped(%g: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[-1], [0], [1], [1]]> : tensor<4x1xi32>
  %sums = "stablehlo.scatter"(%zero, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %sums : tensor<2x3xf32>
}
func.func @from_minus_zero(%g: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<-0.0> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[0], [0], [1], [1]]> : tensor<4x1xi32>
  %sums = "stablehlo.scatter"(%zero, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %sums : tensor<2x3xf32>
}
func.func @uneven(%x: tensor<9x3xf32>) -> tensor<3x3xf32> {
  %i = stablehlo.constant dense<[[1], [4], [6]]> : tensor<3x1xi32>
  %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<9x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
  return %rows : tensor<3x3xf32>
}
func.func @unknown(%x: tensor<9x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<9x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %rows : tensor<2x3xf32>
}
