// RUN: echo-opt %s --split-input-file --verify-diagnostics --random-state

func.func @shape(%low: tensor<f32>, %high: tensor<f32>, %shape: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error@+1 {{draws 'tensor<?xf32>', whose shape is not known}}
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @region(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %scalar = stablehlo.constant dense<> : tensor<0xi64>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{draws random numbers, and stands in a region of 'stablehlo.reduce'}}
    %noise = stablehlo.rng %a, %b, %scalar, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    stablehlo.return %noise : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
