// Least squares with one output: the gradient is a product of one column, whose result is no matrix to write sums to; a group of none of its dimensions
// made the lowering abort.
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --quiet
// RUN: echo-run %s --no-cache --threads=2 --echo=budget=min --expect=%t.npz --quiet
func.func @main(%w: tensor<4x1xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %y: tensor<8x1xf32>) -> (tensor<4x1xf32>, tensor<f32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x1xf32>) -> tensor<8x1xf32>
  %d = stablehlo.subtract %0, %y : tensor<8x1xf32>
  %m = stablehlo.multiply %d, %d : tensor<8x1xf32>
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%m init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32>
  %d2 = stablehlo.add %d, %d : tensor<8x1xf32>
  %g = stablehlo.dot_general %x, %d2, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<4x1xf32>
  %r = stablehlo.constant dense<0.05> : tensor<4x1xf32>
  %gr = stablehlo.multiply %g, %r : tensor<4x1xf32>
  %w1 = stablehlo.subtract %w, %gr : tensor<4x1xf32>
  return %w1, %loss : tensor<4x1xf32>, tensor<f32>
}
