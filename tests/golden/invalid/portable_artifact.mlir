// RUN: echo-opt --split-input-file --verify-diagnostics --allow-unregistered-dialect --emit-bytecode --target-version=0.12.0 -o /dev/null %s

// All that is wrong is said, each at its op.
func.func @later_ops(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.tan' op is not in version 0.12.0 of VHLO}}
  %0 = stablehlo.tan %x : tensor<4xf32>
  // expected-error@+1 {{'stablehlo.collective_broadcast' op is not in version 0.12.0 of VHLO}}
  %1 = "stablehlo.collective_broadcast"(%0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @later_types(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.convert' op has f8E4M3, which VHLO has from version 1.7.0 on and not in 0.12.0}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E4M3>
  // expected-error@+1 {{'stablehlo.convert' op has i2, which VHLO has from version 1.2.0 on and not in 0.12.0}}
  %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi2>
  return
}

// -----

// expected-error@+1 {{'func.func' op has a quantized type with an axis, which VHLO has from version 0.18.0 on and not in 0.12.0}}
func.func private @an_axis(tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>)

// -----

func.func @accuracy(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.exponential' op has a result_accuracy, which version 0.12.0 of VHLO does not}}
  %0 = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @batching(%x: tensor<3x4x2xi32>, %i: tensor<3x5x1xi64>) -> tensor<3x5x2xi32> {
  // expected-error@+1 {{'stablehlo.gather' op has batching dimensions, which version 0.12.0 of VHLO does not}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>} : (tensor<3x4x2xi32>, tensor<3x5x1xi64>) -> tensor<3x5x2xi32>
  return %0 : tensor<3x5x2xi32>
}

// -----

func.func @algorithm(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'stablehlo.dot_general' op has an algorithm, which version 0.12.0 of VHLO does not}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @typed_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.custom_call' op has a typed call, which version 0.12.0 of VHLO does not}}
  %0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @promotion(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f64> {
  // expected-error@+1 {{'stablehlo.reduce' op has results of other element types than its operands', which version 0.12.0 of VHLO does not}}
  %0 = "stablehlo.reduce"(%x, %y) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @several(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op has several operands, which version 0.12.0 of VHLO does not}}
  %0:2 = "stablehlo.all_gather"(%x, %x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @not_of_vhlo(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'chlo.erf' op is no op that VHLO has}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.abs' op has attribute affine_map<(d0) -> (d0)>, which VHLO has no form for}}
  %1 = stablehlo.abs %0 {map = affine_map<(d0) -> (d0)>} : tensor<4xf32>
  // expected-error@+1 {{'stablehlo.abs' op has attribute #d.a<1>, which is not written as VHLO}}
  %2 = stablehlo.abs %1 {other = #d.a<1>} : tensor<4xf32>
  // expected-error@+1 {{'stablehlo.abs' op has type !d.t<1>, which is not written as VHLO}}
  %3 = stablehlo.abs %2 {type = !d.t<1>} : tensor<4xf32>
  // expected-error@+1 {{'stablehlo.abs' op has type vector<4xf32>, which VHLO does not have}}
  %4 = stablehlo.abs %3 {type = vector<4xf32>} : tensor<4xf32>
  // expected-error@+1 {{'stablehlo.unheard_of' op is no op that VHLO has}}
  %5 = "stablehlo.unheard_of"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
