// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about movement, once.

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast' op broadcast_sizes has negative size -2}}
  %0 = stablehlo.broadcast %a, sizes = [-2] : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op size of operand dimension 1 (3) is not 1 and not the size of result dimension 1 (4)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has 1 entries, expected 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has dimension 0 more than once}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has dimension 2, out of range [0, 2)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op requires the same element type for operand and result}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op result #0 must be statically shaped or single bounded dimension tensor, but got 'tensor<?xf32>'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x?xf32, #stablehlo.bounds<5, 5>>) {
  // expected-error@+1 {{'stablehlo.reshape' op result #0 must be statically shaped or single bounded dimension tensor, but got}}
  %0 = "stablehlo.reshape"(%x) : (tensor<?x?xf32, #stablehlo.bounds<5, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<5, 5>>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %b: tensor<3xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_broadcast_in_dim' op operand #1 has 3 entries for a result of rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<?xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %b: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_broadcast_in_dim' op dimension 0 is known to expand and not to}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.concatenate' op dimension 2 is out of range [0, 2)}}
  %0 = stablehlo.concatenate %a, %a, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) {
  // expected-error@+1 {{'stablehlo.concatenate' op operands #0 and #1 differ in dimension 0: 'tensor<2x3xf32>', 'tensor<3x3xf32>'}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.concatenate' op operands #0 and #1 differ in rank or element type: 'tensor<2x3xf32>', 'tensor<3xf32>'}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%a: tensor<9223372036854775807xi8>) {
  // expected-error@+1 {{'stablehlo.concatenate' op the size of the concatenated dimension overflows}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8>) -> tensor<1xi8>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.concatenate' op expects more than 0 operands}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.constant' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected elements of a constant}}
  %0 = stablehlo.constant 3 : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a dictionary of properties}}
  %0 = stablehlo.constant() <3> : () -> tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.constant' op inferred type(s) 'vector<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : vector<2xf32>}> : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.iota' op iota_dimension 1 is out of range [0, 1)}}
  %0 = stablehlo.iota dim = 1 : tensor<3xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.iota' op result must have at least one dimension}}
  %0 = stablehlo.iota dim = 0 : tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.iota' op attribute 'iota_dimension' failed to satisfy constraint: non-negative i64}}
  %0 = stablehlo.iota dim = -1 : tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_iota' op operand #0 has 2 entries for a result of rank 1}}
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f64>) {
  // expected-error@+1 {{'stablehlo.pad' op padding value 'tensor<f64>' is not of the element type of 'tensor<2xf32>'}}
  %0 = stablehlo.pad %a, %b, low = [0], high = [0], interior = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op edge_padding_low has 2 entries, expected 1}}
  %0 = stablehlo.pad %a, %b, low = [0, 0], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op interior_padding must not be negative, got -1}}
  %0 = stablehlo.pad %a, %b, low = [0], high = [0], interior = [-1] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op padding makes the size of dimension 0 negative (-1)}}
  %0 = stablehlo.pad %a, %b, low = [-2], high = [-1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op the size of padded dimension 0 overflows}}
  %0 = stablehlo.pad %a, %b, low = [9223372036854775807], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %b: tensor<f64>, %c: tensor<1xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op operand, padding value and result differ in rank or element type}}
  %0 = stablehlo.dynamic_pad %a, %b, %c, %c, %c : (tensor<?xf32>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' op operand has 6 elements, result has 7}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' op requires the same element type for operand and result}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xi32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' op the number of elements overflows}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<9223372036854775807x9223372036854775807xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %b: tensor<1xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op requires the same element type for operand and result}}
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.reverse' op dimensions has dimension 1 more than once}}
  %0 = stablehlo.reverse %a, dims = [1, 1] : tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op [0, 3) is not a range in dimension 0 of 'tensor<2x3xf32>'}}
  %0 = stablehlo.slice %a [0:3, 0:3] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op stride 0 of dimension 1 is not positive}}
  %0 = stablehlo.slice %a [0:2, 0:3:0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op start_indices has 1 entries, expected 2}}
  %0 = stablehlo.slice %a [0:2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op permutation has 1 entries, expected 2}}
  %0 = stablehlo.transpose %a, dims = [1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.get_dimension_size' op dimension 2 is out of range [0, 2)}}
  %0 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.set_dimension_size' op dimension 2 is out of range [0, 2)}}
  %0 = stablehlo.set_dimension_size %a, %b, dim = 2 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.set_dimension_size' op size must be a scalar, but got 'tensor<1xi32>'}}
  %0 = stablehlo.set_dimension_size %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %b: tensor<1xi64>) {
  // expected-error@+1 {{'stablehlo.real_dynamic_slice' op operand and result differ in rank or element type}}
  %0 = stablehlo.real_dynamic_slice %a, %b, %b, %b : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op has 1 start indices for an operand of rank 2}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op start indices have different types: 'tensor<i32>', 'tensor<i64>'}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op slice size 4 of dimension 1 is not in [0, 3]}}
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %u: tensor<1xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op operand and update differ in rank or element type: 'tensor<2x3xf32>', 'tensor<1xf32>'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<2x3xf32>, tensor<1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op update is larger than the operand in dimension 1: 'tensor<1x4xf32>', 'tensor<2x3xf32>'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<2x3xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expected ','}}
  %0 = stablehlo.transpose %a dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expected SSA operand}}
  %0 = stablehlo.reshape %a, : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<1x1x1x1x1xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast' op result has more than 64 dimensions}}
  %0 = stablehlo.broadcast %a, sizes = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : (tensor<1x1x1x1x1xf32>) -> tensor<1xf32>
  return
}
