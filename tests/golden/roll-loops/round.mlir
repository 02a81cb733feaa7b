// Parts of a product of quaternions are no copies that follow each other: two of them have one counterpart, behind which the rows go round. Nothing is rolled, and the pass comes to an end.
// RUN: timeout 60 echo-opt %s --roll-loops | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     stablehlo.while
// CHECK:         return
func.func @main(%arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<1x1xf32>, %arg8: tensor<2x3xf32>, %arg9: tensor<1x1xf32>, %arg10: tensor<1xf32>, %arg11: tensor<1x1xf32>, %arg12: tensor<1x1xf32>, %arg13: tensor<1x1xf32>, %arg14: tensor<1xf32>, %arg15: tensor<1xf32>, %arg16: tensor<1x4xf32>) -> tensor<2x3xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<2x3xf32>
  %0 = stablehlo.reshape %arg13 : (tensor<1x1xf32>) -> tensor<1xf32>
  %1 = stablehlo.multiply %arg15, %0 : tensor<1xf32>
  %2 = stablehlo.subtract %arg14, %1 : tensor<1xf32>
  %3 = stablehlo.slice %arg16 [0:1, 2:3] : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x1xf32>) -> tensor<1xf32>
  %5 = stablehlo.reshape %arg12 : (tensor<1x1xf32>) -> tensor<1xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<1xf32>
  %7 = stablehlo.subtract %2, %6 : tensor<1xf32>
  %8 = stablehlo.slice %arg16 [0:1, 3:4] : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %9 = stablehlo.reshape %8 : (tensor<1x1xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %arg11 : (tensor<1x1xf32>) -> tensor<1xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<1xf32>
  %12 = stablehlo.subtract %7, %11 : tensor<1xf32>
  %13 = stablehlo.multiply %4, %10 : tensor<1xf32>
  %14 = stablehlo.add %arg10, %13 : tensor<1xf32>
  %15 = stablehlo.multiply %9, %5 : tensor<1xf32>
  %16 = stablehlo.subtract %14, %15 : tensor<1xf32>
  %17 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
  %18 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
  %19 = stablehlo.concatenate %17, %18, %arg9, %arg6, dim = 1 : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %20 = stablehlo.concatenate %arg16, %19, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %21 = stablehlo.divide %20, %arg5 : tensor<2x4xf32>
  %cst_0 = stablehlo.constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<1x4xf32>
  %22 = stablehlo.concatenate %21, %cst_0, dim = 0 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %c = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %23 = "stablehlo.gather"(%22, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %24 = stablehlo.slice %23 [0:2, 1:4] : (tensor<2x4xf32>) -> tensor<2x3xf32>
  %25 = stablehlo.multiply %arg4, %24 : tensor<2x3xf32>
  %26 = stablehlo.multiply %25, %cst : tensor<2x3xf32>
  %27 = stablehlo.add %26, %arg3 : tensor<2x3xf32>
  %28 = stablehlo.add %27, %arg2 : tensor<2x3xf32>
  %29 = stablehlo.add %arg8, %28 : tensor<2x3xf32>
  %30 = stablehlo.add %29, %arg1 : tensor<2x3xf32>
  return %30 : tensor<2x3xf32>
}
