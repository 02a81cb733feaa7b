// A training step whose activations are the plugin's: two hidden layers, the mean square of the
// error, plain gradient descent. nn.gradient has differentiate ask act.softsign for its rule.
func.func @main(%w1: tensor<32x256xf32> {tf.aliasing_output = 0 : i32},
                %w2: tensor<256x256xf32> {tf.aliasing_output = 1 : i32},
                %w3: tensor<256x32xf32> {tf.aliasing_output = 2 : i32},
                %x: tensor<512x32xf32>)
    -> (tensor<32x256xf32>, tensor<256x256xf32>, tensor<256x32xf32>, tensor<f32>) {
  %h1 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<512x32xf32>, tensor<32x256xf32>) -> tensor<512x256xf32>
  %a1 = act.softsign %h1 steepness 2.0 : tensor<512x256xf32>
  %h2 = stablehlo.dot_general %a1, %w2, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %a2 = act.softsign %h2 steepness 0.5 : tensor<512x256xf32>
  %a3 = act.softsign %a2 steepness 1.0 : tensor<512x256xf32>
  %y = stablehlo.dot_general %a3, %w3, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x32xf32>) -> tensor<512x32xf32>
  %error = stablehlo.subtract %y, %x : tensor<512x32xf32>
  %square = stablehlo.multiply %error, %error : tensor<512x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x32xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.constant dense<16384.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %count : tensor<f32>
  %g1, %g2, %g3 = "nn.gradient"(%loss, %w1, %w2, %w3) : (tensor<f32>, tensor<32x256xf32>, tensor<256x256xf32>, tensor<256x32xf32>) -> (tensor<32x256xf32>, tensor<256x256xf32>, tensor<256x32xf32>)
  %rate = stablehlo.constant dense<4.0> : tensor<f32>
  %r1 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
  %d1 = stablehlo.multiply %g1, %r1 : tensor<32x256xf32>
  %n1 = stablehlo.subtract %w1, %d1 : tensor<32x256xf32>
  %r2 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
  %d2 = stablehlo.multiply %g2, %r2 : tensor<256x256xf32>
  %n2 = stablehlo.subtract %w2, %d2 : tensor<256x256xf32>
  %r3 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<256x32xf32>
  %d3 = stablehlo.multiply %g3, %r3 : tensor<256x32xf32>
  %n3 = stablehlo.subtract %w3, %d3 : tensor<256x32xf32>
  return %n1, %n2, %n3, %loss : tensor<32x256xf32>, tensor<256x256xf32>, tensor<256x32xf32>, tensor<f32>
}
