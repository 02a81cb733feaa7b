// Contractions.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @dot(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xf32>) {
// CHECK-NEXT:    %0 = stablehlo.dot %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %1 = stablehlo.dot %arg0, %arg2, precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %2 = stablehlo.dot %arg2, %arg2, precision = [] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @dot(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dot"(%arg0, %arg2) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = "stablehlo.dot"(%arg2, %arg2) <{precision_config = []}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @dot_general(%arg0: tensor<5x2x3xi8>, %arg1: tensor<5x3x4xi8>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x4xf32>) {
// CHECK-NEXT:    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xi8>, tensor<5x3x4xi8>) -> tensor<5x2x4xi32>
// CHECK-NEXT:    %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [] x [] {note} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
// CHECK-NEXT:    %3 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @dot_general(%arg0: tensor<5x2x3xi8>, %arg1: tensor<5x3x4xi8>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<5x2x3xi8>, tensor<5x3x4xi8>) -> tensor<5x2x4xi32>
  %1 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<>}> {note} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  %3 = "stablehlo.dot_general"(%arg2, %arg3) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %4 = "stablehlo.dot_general"(%arg2, %arg3) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @convolution(%arg0: tensor<1x8x9x4xf32>, %arg1: tensor<3x3x2x6xf32>, %arg2: tensor<1x8x9x2xf32>, %arg3: tensor<2x2xi64>) {
// CHECK-NEXT:    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x8x9x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x3x17x6xf32>
// CHECK-NEXT:    %1 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [b, 1, 0, f]x[0, 1, i, o]->[1, b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x2xf32>, tensor<3x3x2x6xf32>) -> tensor<6x1x6x7xf32>
// CHECK-NEXT:    %2 = "stablehlo.dynamic_conv"(%arg2, %arg1, %arg3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x9x2xf32>, tensor<3x3x2x6xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @convolution(%arg0: tensor<1x8x9x4xf32>, %arg1: tensor<3x3x2x6xf32>, %arg2: tensor<1x8x9x2xf32>, %arg3: tensor<2x2xi64>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, lhs_dilation = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: true, false>, window_strides = array<i64: 2, 1>}> : (tensor<1x8x9x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x3x17x6xf32>
  %1 = "stablehlo.convolution"(%arg2, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[1, b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<1x8x9x2xf32>, tensor<3x3x2x6xf32>) -> tensor<6x1x6x7xf32>
  %2 = "stablehlo.dynamic_conv"(%arg2, %arg1, %arg3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x9x2xf32>, tensor<3x3x2x6xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @einsum(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>) {
// CHECK-NEXT:    %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    %1 = stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @einsum(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) <{einsum_config = "ab,bc->ac"}> : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.unary_einsum"(%arg0) <{einsum_config = "ab->a"}> : (tensor<8x16xf32>) -> tensor<8xf32>
  "func.return"() : () -> ()
}

// A comma behind the last entry of a window is read.
// CHECK:  func.func @comma
// CHECK-NEXT:    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = {{\[\[}}1, 1]]}
func.func @comma(%a: tensor<1x8x3xf32>, %b: tensor<3x3x5xf32>) -> tensor<1x8x5xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {
    stride = [1],
    pad = [[1, 1]],
  } {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x5xf32>) -> tensor<1x8x5xf32>
  return %0 : tensor<1x8x5xf32>
}
