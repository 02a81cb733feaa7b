func.func @main(%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32, echo.role = "parameter"}, %x: tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<f32>) {
  %h = "nn.linear"(%x, %w) : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %t = stablehlo.tanh %h : tensor<32x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %rate = stablehlo.constant dense<0.01> : tensor<f32>
  %w1 = "nn.sgd"(%w, %g, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  return %w1, %loss : tensor<64x64xf32>, tensor<f32>
}
