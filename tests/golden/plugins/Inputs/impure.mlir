func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<f32>) {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<64> : tensor<2xi64>
  %noise = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> {echo.phase = "forward"} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %noisy = stablehlo.multiply %x, %noise {echo.phase = "forward"} : tensor<64x64xf32>
  %h = stablehlo.dot_general %noisy, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = stablehlo.tanh %h {echo.phase = "forward"} : tensor<64x64xf32>
  %loss = stablehlo.reduce(%y init: %low) applies stablehlo.add across dimensions = [0, 1] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %yy = stablehlo.multiply %y, %y {echo.phase = "backward"} : tensor<64x64xf32>
  %dw = stablehlo.dot_general %noisy, %yy, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %new = stablehlo.subtract %w, %dw {echo.phase = "update"} : tensor<64x64xf32>
  return %new, %loss : tensor<64x64xf32>, tensor<f32>
}
