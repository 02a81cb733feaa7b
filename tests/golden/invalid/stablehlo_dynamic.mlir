// Operands that say a shape are held against the types where they are constants.
// RUN: echo-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error@+1 {{operand #1 says size 2 of dimension 0, the result's type 'tensor<1x4xf32>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[-1]> : tensor<1xi64>
  // expected-error@+1 {{operand #0 says size -1 of dimension 0, the result's type 'tensor<?xf32>'}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<2x5xf32>) {
  %s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  // expected-error@+1 {{operand has 10 elements, result has 24}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x5xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<11xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{operand has 11 elements, result has 10}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<11xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<1x3xi32>) {
  %s = stablehlo.constant dense<[2, 1, 1]> : tensor<3xi64>
  // expected-error@+1 {{size 3 of operand dimension 1 is not 1 and not the size 1 that operand #1 says}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1, 2] : (tensor<1x3xi32>, tensor<3xi64>) -> tensor<?x?x?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xf64>, %v: tensor<f64>, %s: tensor<1xi64>) {
  %i = stablehlo.constant dense<[-1]> : tensor<1xi64>
  // expected-error@+1 {{interior padding must not be negative, got -1}}
  %0 = stablehlo.dynamic_pad %a, %v, %s, %s, %i : (tensor<4xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%a: tensor<4xf64>, %v: tensor<f64>) {
  %s = stablehlo.constant dense<[1]> : tensor<1xi64>
  %i = stablehlo.constant dense<[1]> : tensor<1xi64>
  // expected-error@+1 {{padding does not make dimension 0 of size 4}}
  %0 = stablehlo.dynamic_pad %a, %v, %s, %s, %i : (tensor<4xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%a: tensor<?x?x2xi32>, %i: tensor<?x?x?xi32>) {
  %s = stablehlo.constant dense<[1, 1, 8]> : tensor<3xi64>
  // expected-error@+1 {{slice size 8 of dimension 2 is not in [0, 2]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>}> : (tensor<?x?x2xi32>, tensor<?x?x?xi32>, tensor<3xi64>) -> tensor<?x?x?xi32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[7]> : tensor<1xi64>
  // expected-error@+1 {{operand #2 says size 7 of dimension 0, the result's type 'tensor<12xf32>'}}
  %0 = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<12xf32>
  return
}

// -----

// A static dimension is within the bound.
func.func @f(%a: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.add"(%a, %a) : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<?x2xf32, #stablehlo.bounds<4, ?>>) -> tensor<4x2xf32>
  // expected-error@+1 {{'stablehlo.add' op inferred type(s) 'tensor<?x2xf32, #stablehlo.bounds<4, ?>>' are incompatible with return type(s) of operation 'tensor<5x2xf32>'}}
  %1 = "stablehlo.add"(%a, %a) : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<?x2xf32, #stablehlo.bounds<4, ?>>) -> tensor<5x2xf32>
  return
}

// -----

func.func @f(%a: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) {
  // expected-error@+1 {{'stablehlo.optimization_barrier' op}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>) -> tensor<5x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x?xf32>) {
  // expected-error@+1 {{'tensor.cast' op operand type 'tensor<2x?xf32>' and result type 'tensor<3x?xf32>' are cast incompatible}}
  %0 = tensor.cast %a : tensor<2x?xf32> to tensor<3x?xf32>
  return
}
