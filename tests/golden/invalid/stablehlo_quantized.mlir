// What quantized element types must be, and be beside each other.
// RUN: echo-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.add' op expects all operands and results to be either quantized or not}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x!quant.uniform<i4:f32, 0.1:2>>) {
  // expected-error@+1 {{mismatched operands and result quantization storage types}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x!quant.uniform<i4:f32, 0.1:2>>) -> tensor<2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x!quant.uniform<i8:f16, 0.1:2>>) {
  // expected-error@+1 {{mismatched operands and result quantization expressed types}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x!quant.uniform<i8:f16, 0.1:2>>) -> tensor<2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{result is not per_axis quantized but operand 1 is}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{quantization dimensions of operand 0 and result are not the same}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x!quant.uniform<i8:f32, 0.1:2>>) {
  // expected-error@+1 {{result is per_axis quantized but no operand is}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x!quant.uniform<i8:f32, 0.1:2>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{operand and result do not express the same type: 'f32' and '!quant.uniform<i8:f64, 1.000000e-01>'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f64, 0.1>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{value of type 'tensor<2xui8>' is not what 'tensor<2x!quant.uniform<i8:f32, 1.000000e-01:2>>' stores}}
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.1:2>>) {
  // expected-error@+1 {{expects the same quantization scale and zero point of operand and result}}
  %0 = stablehlo.reshape %a : (tensor<2x!quant.uniform<i8:f32, 0.1:2>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.2:2>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{expects the same quantization scales and zero points of operand and result}}
  %0 = stablehlo.reshape %a : (tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {0.1:2, 0.6}>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{operand and result are not both quantized along a dimension}}
  %0 = stablehlo.reshape %a : (tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x4x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{product of dimensions before the quantization dimension differs in operand and result}}
  %0 = stablehlo.reshape %a : (tensor<2x4x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{operand quantization_dimension 0 is not permutation[0] = 1}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) {
  // expected-error@+1 {{result quantization_dimension 0 is not broadcast_dimensions[0] = 1}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<1x!quant.uniform<i8:f32:0, {0.1:2}>>) {
  // expected-error@+1 {{scale and zero point 1 of the result, 5.000000e-01 and 0, are not those of the operand}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {0.1:2}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:2, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>) {
  // expected-error@+1 {{zero points of rhs should be 0}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.5}>>) {
  // expected-error@+1 {{quantization dimension of rhs should not be contracted}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2x!quant.uniform<i4:f32, 0.1>>) {
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2x!quant.uniform<i4:f32, 0.1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2x!quant.uniform<i8:f16, 0.1>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2x!quant.uniform<i8:f16, 0.1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.1>>) {
  // expected-error@+1 {{mismatched rhs and result quantization granularity}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<2x2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1, 0.5}>>
  return
}

// -----

func.func @f(%a: tensor<2x2xf64>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.1>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2x2xf64>
  return
}

// -----

func.func @f(%a: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<1x1x2x2x!quant.uniform<i8:f32:2, {0.1, 0.5}>>) {
  // expected-error@+1 {{quantization dimension of rhs should be kernel_output_feature}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<1x1x2x2x!quant.uniform<i8:f32:2, {0.1, 0.5}>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.1:2>>
  return
}

// -----

func.func @f(%a: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.1:2>>, %b: tensor<1x1x2x2x!quant.uniform<i8:f32:3, {0.1, 0.5}>>) {
  // expected-error@+1 {{quantization dimension of result should be output_feature}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.1:2>>, tensor<1x1x2x2x!quant.uniform<i8:f32:3, {0.1, 0.5}>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32:1, {0.1, 0.5, 0.1, 0.1}>>
  return
}

// -----

// A row that knows no slices takes none, and a zero point must be one that can be stored.
func.func @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.5}>>, %b: tensor<2x!quant.uniform<i8:f32, 0.1:300>>, %c: tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.5}>>) {
  // expected-error@+2 {{operand #0 must be}}
  // expected-error@+1 {{result #0 must be}}
  %0 = stablehlo.cosine %a : tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.5}>>
  // expected-error@+2 {{operand #0 must be}}
  // expected-error@+1 {{result #0 must be}}
  %1 = stablehlo.cosine %b : tensor<2x!quant.uniform<i8:f32, 0.1:300>>
  // expected-error@+3 {{operand #0 must be}}
  // expected-error@+2 {{operand #1 must be}}
  // expected-error@+1 {{result #0 must be}}
  %2 = stablehlo.add %c, %c : tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.5}>>
  return
}

// -----

// expected-error@+1 {{scale 1.055040e+05 out of expressed type range}}
func.func @f(%a: tensor<2x!quant.uniform<i4:f16, 1.05504e+5>>) { return }

// -----

// expected-error@+1 {{illegal quantized dimension: -1}}
func.func @f(%a: tensor<2x!quant.uniform<i8:f32:-1, {0.1, 0.5}>>) { return }

// -----

// expected-error@+1 {{unknown stablehlo type: tokens}}
func.func @f(%a: !stablehlo.tokens) { return }
