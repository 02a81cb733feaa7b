// Movement, constants, gather and scatter, shapes that are operands.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @movement(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<1x1xf32>, %arg4: tensor<2x1xf32>) {
// CHECK-NEXT:    %0 = stablehlo.broadcast %arg0, sizes = [4, 5] : (tensor<2x3xf32>) -> tensor<4x5x2x3xf32>
// CHECK-NEXT:    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x7x2xf32>
// CHECK-NEXT:    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:    %3 = stablehlo.concatenate %arg0, %arg4, %arg0, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
// CHECK-NEXT:    %4 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
// CHECK-NEXT:    %5 = stablehlo.dynamic_update_slice %arg0, %arg3, %arg2, %arg2 : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %6 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
// CHECK-NEXT:    %7 = stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK-NEXT:    %8 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 2], interior = [0, 3] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x10xf32>
// CHECK-NEXT:    %9 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
// CHECK-NEXT:    %10 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x3xf32>
// CHECK-NEXT:    %11 = stablehlo.slice %arg0 [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:    %12 = stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    %13 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    %14 = "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @movement(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<1x1xf32>, %arg4: tensor<2x1xf32>) {
  %0 = "stablehlo.broadcast"(%arg0) <{broadcast_sizes = array<i64: 4, 5>}> : (tensor<2x3xf32>) -> tensor<4x5x2x3xf32>
  %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 0>}> : (tensor<2x3xf32>) -> tensor<3x7x2xf32>
  %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %3 = "stablehlo.concatenate"(%arg0, %arg4, %arg0) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  %4 = "stablehlo.dynamic_slice"(%arg0, %arg2, %arg2) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %5 = "stablehlo.dynamic_update_slice"(%arg0, %arg3, %arg2, %arg2) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %6 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<i32>
  %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  %8 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 0, 3>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x10xf32>
  %9 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  %10 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %12 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64>, start_indices = array<i64>, strides = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %13 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %14 = "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @constants() {
// CHECK-NEXT:    %c = stablehlo.constant dense<-1> : tensor<1xi64>
// CHECK-NEXT:    %c_0 = stablehlo.constant {attr = 1 : i32} dense<[-2, 4]> : tensor<2xi64>
// CHECK-NEXT:    %cst = stablehlo.constant dense<{{\[\[}}1.000000e+00, 0xFF800000]]> : tensor<1x2xf32>
// CHECK-NEXT:    %c_1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %cst_2 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @constants() {
  %0 = "stablehlo.constant"() <{value = dense<-1> : tensor<1xi64>}> : () -> tensor<1xi64>
  %1 = "stablehlo.constant"() <{value = dense<[-2, 4]> : tensor<2xi64>}> {attr = 1 : i32} : () -> tensor<2xi64>
  %2 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0xFF800000]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %3 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  %4 = "stablehlo.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
  "func.return"() : () -> ()
}

// CHECK:  func.func @gather_scatter(%arg0: tensor<3x4x2xf32>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xf32>, %arg3: tensor<2x2x3x2xf32>, %arg4: tensor<2x2x3x2xi32>, %arg5: tensor<2x3x4x2xf32>) {
// CHECK-NEXT:    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
// CHECK-NEXT:    %1 = "stablehlo.gather"(%arg5, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi32>) -> tensor<2x2x3x2x2xf32>
// CHECK-NEXT:    %2 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = false}> ({
// CHECK-NEXT:    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
// CHECK-NEXT:      %3 = stablehlo.add %arg6, %arg7 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %3 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @gather_scatter(%arg0: tensor<3x4x2xf32>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xf32>, %arg3: tensor<2x2x3x2xf32>, %arg4: tensor<2x2x3x2xi32>, %arg5: tensor<2x3x4x2xf32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  %1 = "stablehlo.gather"(%arg5, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi32>) -> tensor<2x2x3x2x2xf32>
  %2 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
    %3 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<2xi64>, %arg2: tensor<3xindex>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x1xi32>, %arg6: tensor<2x3xf32>) {
// CHECK-NEXT:    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
// CHECK-NEXT:    %1 = "stablehlo.dynamic_gather"(%arg0, %arg5, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x?xf32>, tensor<4x1xi32>, tensor<2xi64>) -> tensor<4x?xf32>
// CHECK-NEXT:    %2 = stablehlo.dynamic_iota %arg1, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT:    %3 = stablehlo.dynamic_pad %arg0, %arg3, %arg1, %arg1, %arg1 : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT:    %4 = stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
// CHECK-NEXT:    %5 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT:    %6 = stablehlo.set_dimension_size %arg6, %arg4, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<2xi64>, %arg2: tensor<3xindex>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x1xi32>, %arg6: tensor<2x3xf32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg2) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %1 = "stablehlo.dynamic_gather"(%arg0, %arg5, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x?xf32>, tensor<4x1xi32>, tensor<2xi64>) -> tensor<4x?xf32>
  %2 = "stablehlo.dynamic_iota"(%arg1) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<?x?xf32>
  %3 = "stablehlo.dynamic_pad"(%arg0, %arg3, %arg1, %arg1, %arg1) : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = "stablehlo.dynamic_reshape"(%arg0, %arg2) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %5 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg1, %arg1) : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %6 = "stablehlo.set_dimension_size"(%arg6, %arg4) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @bounds(%arg0: tensor<?x?xf32, #stablehlo.bounds<3, ?>>) {
// CHECK-NEXT:    %0 = stablehlo.abs %arg0 : tensor<?x?xf32, #stablehlo.bounds<3, ?>>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @bounds(%arg0: tensor<?x?xf32, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  "func.return"() : () -> ()
}
