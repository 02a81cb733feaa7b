// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about contraction, once.

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op lhs has 1 batching dimensions, rhs has 0}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op contracting dimension 0 has size 2 in lhs, 3 in rhs}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op dimension 0 of lhs is both batching and contracting}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op list of batching dimensions of lhs has dimension 3, out of range [0, 3)}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op list of contracting dimensions of rhs has dimension 3, out of range [0, 3)}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op list of contracting dimensions of lhs has dimension 2 more than once}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 2], rhs_contracting_dimensions = [1, 1]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op result has type 'tensor<5x2x4xf32>', inferred shape of 'tensor<5x2x5x4xf32>'}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op precision_config has 3 entries, expected 2 at most}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op must have DEFAULT precision when an algorithm is set}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>], algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op attribute 'precision_config' failed to satisfy constraint: precision config}}
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [1 : i32]}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{'stablehlo.dot' op contracted dimensions have different sizes in 'tensor<2x3xf32>' and 'tensor<4x5xf32>'}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{'stablehlo.dot' op expects vectors and matrices, but got 'tensor<f32>' and 'tensor<4x5xf32>'}}
  %0 = stablehlo.dot %a, %b : (tensor<f32>, tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error@+1 {{expected 'x'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error@+1 {{'LOW' is not a precision}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [LOW] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf64>) {
  // expected-error@+1 {{'stablehlo.convolution' op requires the same element type for both operands, but got 'tensor<1x8x9x4xf32>' and 'tensor<3x3x4x6xf64>'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf64>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op expects operands of the same rank of at least 2, but got 'tensor<1x8x9x4xf32>' and 'tensor<3x4x6xf32>'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op expects operands of the same rank of at least 2, but got 'tensor<8xf32>' and 'tensor<8xf32>'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op input dimension numbers are of rank 3, expected 4}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op group counts 2 and 2 must be positive and one of them 1}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op batch 1, input features 4 and output features 6 are not multiples of the group counts 1 and 3}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op kernel has 4 input features, expected 4 / 2}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op result has type 'tensor<1x6x7x5xf32>', inferred shape of 'tensor<1x6x7x6xf32>'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x5xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op window_strides has 1 entries, expected 2}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op window_strides must be positive, got 0}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op expects padding of type tensor<2x2xi64>}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{Expected array with 2 elements, got 1 elements instead}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0], [1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op window_reversal has 1 entries, expected 2}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{Unexpected keyword foo}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {foo = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{Unexpected keyword stride}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op the size of a windowed dimension overflows}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[9223372036854775807, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<0x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op window dimension 0 must be positive, got 0}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<0x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{duplicate entries for spatial dimension 0}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{expected spatial dimension 1 not specified}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{expected dimension 'f' not specified}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{unexpected dimension 'z'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, z]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{unexpected dimension 99}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 99, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' op input has dimension 0 more than once}}
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>}> : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>, %p: tensor<3x2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_conv' op expects padding of shape 2x2, but got 'tensor<3x2xi64>'}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>, tensor<3x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x9x4xf32>, %b: tensor<3x3x4x6xf32>, %p: tensor<2x2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_conv' op result must have the operands' rank 4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' op result has more than 64 dimensions}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [] x [] : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1xf32>
  return
}

// -----

// An attribute dictionary is where its attributes are wrong.
func.func @f(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x16xf32>) {
  // expected-error@+4 {{'stablehlo.convolution' op attribute 'feature_group_count' failed to satisfy constraint: positive i64}}
  %0 = stablehlo.convolution(%a, %b)
         dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
         window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
         {
           batch_group_count = 1 : i64,
           feature_group_count = 0 : i64
         } : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x8x16xf32>
  return
}
