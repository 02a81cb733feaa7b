// The step of step_4.mlir on one process, the whole batch at once.
func.func @main(%w: tensor<8x2xf32>, %x: tensor<12x8xf32>) -> (tensor<8x2xf32>, tensor<f32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<12x8xf32>, tensor<8x2xf32>) -> tensor<12x2xf32>
  %t = stablehlo.tanh %y : tensor<12x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<12x2xf32>
  %e = stablehlo.subtract %t, %one : tensor<12x2xf32>
  %sq = stablehlo.multiply %e, %e : tensor<12x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x2xf32>, tensor<f32>) -> tensor<f32>
  %tt = stablehlo.multiply %t, %t : tensor<12x2xf32>
  %dt = stablehlo.subtract %one, %tt : tensor<12x2xf32>
  %dy = stablehlo.multiply %e, %dt : tensor<12x2xf32>
  %dw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<12x8xf32>, tensor<12x2xf32>) -> tensor<8x2xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<8x2xf32>
  %d = stablehlo.multiply %rate, %dw : tensor<8x2xf32>
  %new = stablehlo.subtract %w, %d : tensor<8x2xf32>
  return %new, %loss : tensor<8x2xf32>, tensor<f32>
}
