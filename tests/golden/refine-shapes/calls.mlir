// Calls that JAX writes for ops whose shapes StableHLO has static alone: with the shapes of main's arguments known they are the ops.
// RUN: echo-opt %s --refine-shapes | FileCheck %s
// RUN: echo-opt %s --refine-shapes --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @top_k(
// CHECK-SAME:    -> (tensor<4x3xf32>, tensor<4x3xi32>)
// CHECK:         chlo.top_k(%arg0, k = 3)
func.func @top_k(%x: tensor<4x6xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %k = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) {api_version = 2 : i32} : (tensor<4x6xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// The padding is [[1, 0], [2, 3]].
// CHECK-LABEL: func.func @windows(
// CHECK-SAME:    -> tensor<4x6xf32>
// CHECK:         "stablehlo.reduce_window"(%arg0,
// CHECK-SAME:      base_dilations = array<i64: 1, 1>, padding = dense<{{\[\[}}1, 0], [2, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 6>, window_strides = array<i64: 1, 1>
// CHECK:           stablehlo.add
// CHECK:         : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
func.func @windows(%x: tensor<4x6xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %sizes = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[1, 0], [2, 3]]> : tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %sizes, %ones, %ones, %ones, %padding) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @bits(
// CHECK-SAME:    -> tensor<4x6xui32>
// CHECK:         stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
func.func @bits(%state: tensor<2xui64>) -> tensor<?x?xui32> {
  %shape = stablehlo.constant dense<[4, 6]> : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %0#1 : tensor<?x?xui32>
}

// Of any target the operands that say shapes go.
// CHECK-LABEL: func.func @factor(
// CHECK:         stablehlo.custom_call @lapack_spotrf_ffi(%arg0) {
// CHECK-NOT:     indices_of_shape_operands
// CHECK-SAME:    operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts
// CHECK-SAME:    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
func.func @factor(%x: tensor<4x4xf32>) -> tensor<?x?xf32> {
  %shape = stablehlo.constant dense<4> : tensor<2xi32>
  %scalar = stablehlo.constant dense<> : tensor<0xi32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x, %shape, %scalar) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>, tensor<2xi32>, tensor<0xi32>) -> (tensor<?x?xf32>, tensor<i32>)
  return %0#0 : tensor<?x?xf32>
}
