// RUN: echo-opt --differentiate --split-input-file --verify-diagnostics %s

func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.cholesky' op has no gradient rule}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
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

func.func @f(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>) -> tensor<1x1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no gradient: window reversal and batch groups are not differentiated}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x3xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %g : tensor<1x1x4xf32>
}
