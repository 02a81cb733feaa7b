// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about attributes, once.

func.func @f() {
  // expected-error@+1 {{expected one of: `lhs_batching_dimensions`, `rhs_batching_dimensions`, `lhs_contracting_dimensions`, `rhs_contracting_dimensions`}}
  "stablehlo.create_token"() {a = #stablehlo.dot<foo = [1]>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{duplicated `lhs_batching_dimensions` entry}}
  "stablehlo.create_token"() {a = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_batching_dimensions = [1]>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected '='}}
  "stablehlo.create_token"() {a = #stablehlo.dot<lhs_batching_dimensions [0]>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected integer value}}
  "stablehlo.create_token"() {a = #stablehlo.dot<lhs_batching_dimensions = [x]>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected integer value}}
  "stablehlo.create_token"() {a = #stablehlo.gather<index_vector_dim = z>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'XX' is not a comparison_direction}}
  "stablehlo.create_token"() {a = #stablehlo<comparison_direction XX>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{unknown attribute 'foo'}}
  "stablehlo.create_token"() {a = #stablehlo<foo BAR>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{unexpected text after 'HIGH'}}
  "stablehlo.create_token"() {a = #stablehlo<precision HIGH extra>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{#stablehlo.channel_handle misses a field}}
  "stablehlo.create_token"() {a = #stablehlo.channel_handle<handle = 1>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{counts of components and primitive operations must be positive}}
  "stablehlo.create_token"() {a = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : () -> !stablehlo.token
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{counts of components and primitive operations must be positive}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 'true' or 'false'}}
  "stablehlo.create_token"() {a = #stablehlo.dot_algorithm<allow_imprecise_accumulation = maybe>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{tolerances must be zero unless the mode is TOLERANCE}}
  "stablehlo.create_token"() {a = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected floating point literal}}
  "stablehlo.create_token"() {a = #stablehlo.result_accuracy<atol = zero, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a #stablehlo.result_accuracy_mode}}
  "stablehlo.create_token"() {a = #stablehlo.result_accuracy<mode = 1 : i32>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 'x'}}
  "stablehlo.create_token"() {a = #stablehlo.conv<[b, 0, f]y[0, i, o]->[b, 0, f]>} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected integer value}}
  "stablehlo.create_token"() {a = #stablehlo.bounds<1, x>} : () -> !stablehlo.token
  return
}

// -----

// expected-error@+1 {{3 bounds, expected as many as the tensor's rank, 2}}
func.func private @f(tensor<2x?xf32, #stablehlo.bounds<?, 3, 4>>)

// -----

// expected-error@+1 {{dimension 0 is static and cannot have a bound}}
func.func private @f(tensor<2x?xf32, #stablehlo.type_extensions<bounds = [3, ?]>>)

// -----

func.func @f() {
  // expected-error@+1 {{expected '}' in attribute dictionary}}
  "stablehlo.create_token"() {a = #stablehlo.dot<>x} : () -> !stablehlo.token
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected '>'}}
  "stablehlo.create_token"() {a = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f], 1>} : () -> !stablehlo.token
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{dot algorithm is not known to be supported on any hardware}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Errors inside of an attribute stand at their own line, behind comments too.
module attributes {
  stablehlo.dot = #stablehlo.dot<
    lhs_contracting_dimensions = [1], // a comment
    // expected-error@+1 {{duplicated `lhs_contracting_dimensions` entry}}
    lhs_contracting_dimensions = [1]>
} {}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.dot_general"(%a, %a) <{
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{dot algorithm is not known to be supported on any hardware}}
    algorithm = #stablehlo.dot_algorithm<lhs_precision_type = i8, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  }> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
