// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about elementwise, once.

func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.add' op requires the same shape for all operands, but got 'tensor<2xf32>' and 'tensor<3xf32>'}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{'stablehlo.add' op requires the same element type for all operands, but got 'tensor<2xf32>' and 'tensor<2xf64>'}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.tanh' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  %0 = "stablehlo.tanh"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xi32>) {
  // expected-error@+2 {{'stablehlo.tanh' op operand #0 must be tensor of float or complex, but got 'tensor<2xi32>'}}
  // expected-error@+1 {{'stablehlo.tanh' op result #0 must be tensor of float or complex, but got 'tensor<2xi32>'}}
  %0 = stablehlo.tanh %a : tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<2xi1>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.select' op predicate 'tensor<2xi1>' is neither a scalar nor of the shape of 'tensor<3xf32>'}}
  %0 = stablehlo.select %a, %b, %b : tensor<2xi1>, tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.clamp' op min 'tensor<2xf32>' is neither a scalar nor of the shape of 'tensor<3xf32>'}}
  %0 = stablehlo.clamp %a, %b, %b : (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.clamp' op max 'tensor<2xf32>' is neither a scalar nor of the shape of 'tensor<3xf32>'}}
  %0 = stablehlo.clamp %b, %b, %a : (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.convert' op requires the same shape for operand and result, but got 'tensor<2xf32>' and 'tensor<3xf64>'}}
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.bitcast_convert' op operand and result differ in dimension 0}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.bitcast_convert' op rank of the narrower type must be 2, but got 1}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.bitcast_convert' op last dimension of the narrower type must be 32 / 8}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.bitcast_convert' op cannot convert between real and complex types, but got 'tensor<2xf32>' and 'tensor<2xcomplex<f32>>'}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_precision' op attribute 'exponent_bits' failed to satisfy constraint: positive i32}}
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 0 : i32, mantissa_bits = 3 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected valid keyword}}
  %0 = stablehlo.reduce_precision %a, format = 5m10 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected exponent mantissa in format e#m#, saw five}}
  %0 = stablehlo.reduce_precision %a, format = five : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'XX' is not a comparison_direction}}
  %0 = stablehlo.compare XX, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.compare' op requires attribute 'comparison_direction'}}
  %0 = "stablehlo.compare"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected tensor with complex element type}}
  %0 = stablehlo.complex %a, %a : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected 2 operands, got 1}}
  %0 = stablehlo.add %a : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected 2 operands, got 3}}
  %0 = stablehlo.add %a, %a, %a : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{2 operands present, but expected 1}}
  %0 = stablehlo.add %a, %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected single output}}
  %0 = stablehlo.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a: tensor<i1>, %b: tensor<2xf32>) {
  // expected-error@+1 {{expected functional type or list of two types}}
  %0 = stablehlo.select %a, %b, %b : tensor<i1>
  return
}

// -----

func.func @f(%a: tensor<*xf32>) {
  // expected-error@+3 {{'stablehlo.add' op operand #0 must be tensor of numbers or quantized slices, but got 'tensor<*xf32>'}}
  // expected-error@+2 {{'stablehlo.add' op operand #1 must be tensor of numbers or quantized slices, but got 'tensor<*xf32>'}}
  // expected-error@+1 {{'stablehlo.add' op result #0 must be tensor of numbers or quantized slices, but got 'tensor<*xf32>'}}
  %0 = stablehlo.add %a, %a : tensor<*xf32>
  return
}
