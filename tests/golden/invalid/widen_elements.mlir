// RUN: echo-opt %s --widen-elements --split-input-file --verify-diagnostics

func.func @pair(%a: tensor<?x2xi4>) -> tensor<?xi8> {
  // expected-error@+1 {{'stablehlo.bitcast_convert' op is not computed between 'i4' and elements of another size}}
  %0 = stablehlo.bitcast_convert %a : (tensor<?x2xi4>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

func.func @product(%a: tensor<2x3xi4>, %b: tensor<3xi4>) -> tensor<2xi4> {
  // expected-error@+1 {{'stablehlo.einsum' op is not computed for elements of this type: 'tensor<2xi4>'}}
  %0 = stablehlo.einsum %a, %b, config = "ab,b->a" : (tensor<2x3xi4>, tensor<3xi4>) -> tensor<2xi4>
  return %0 : tensor<2xi4>
}

// -----

func.func @shapes(%x: tensor<?x2xf32>) -> tensor<?x2x!quant.uniform<i8:f32, 1.0:3>> {
  // expected-error@+1 {{is not computed for 'tensor<?x2xf32>', whose shape is known only when it runs}}
  %0 = stablehlo.uniform_quantize %x : (tensor<?x2xf32>) -> tensor<?x2x!quant.uniform<i8:f32, 1.0:3>>
  return %0 : tensor<?x2x!quant.uniform<i8:f32, 1.0:3>>
}
