// RUN: echo-opt --differentiate --split-input-file --verify-diagnostics %s

func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.unary_einsum' op has no gradient rule}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->ba"}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// -----

// Where no gradient goes, none is asked for.
func.func @f(%x: tensor<2x2xf32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
  %1 = stablehlo.multiply %y, %y : tensor<f32>
  %g = "nn.gradient"(%1, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: only window sums, products, maxima and minima of one operand are differentiated}}
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient by its initial value}}
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %init) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: only scatters of one operand that add, multiply, take the maximum or minimum, or overwrite are differentiated}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %s: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: only those that select by GE or LE, scatter by add and start from a constant are differentiated}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare NE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %s) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

// -----

func.func @f(%n: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'chlo.polygamma' op has no gradient by its order}}
  %0 = chlo.polygamma %n, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  %g = "nn.gradient"(%0, %n) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @f(%x: tensor<4000000000xf32>) -> tensor<4000000000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: its windows side by side are too large}}
  %0 = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 4000000000>, padding = dense<[[3999999999, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4000000000xf32>, tensor<f32>) -> tensor<4000000000xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4000000000xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<4000000000xf32>) -> tensor<4000000000xf32>
  return %g : tensor<4000000000xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: --chlo-to-stablehlo takes maps apart whose bodies are elementwise, and no others are differentiated}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %2 = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
