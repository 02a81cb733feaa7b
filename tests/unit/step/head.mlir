// A loss head over 34 tokens, as 2 x 17, and 40,000 words: a weight for each sequence, what is right beside the loss. chunk_rows_test.c
// puts the ops in other orders.
func.func @main(%x: tensor<2x17x8xf32>, %w: tensor<8x40000xf32>, %label: tensor<2x17xi32>,
    %weight: tensor<2xf32>) -> (tensor<f32>, tensor<2x17x8xf32>, tensor<8x40000xf32>,
    tensor<2x17xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %logits = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x17x8xf32>, tensor<8x40000xf32>) -> tensor<2x17x40000xf32>
  %at = stablehlo.iota dim = 2 : tensor<2x17x40000xi32>
  %max:2 = stablehlo.reduce(%logits init: %least), (%at init: %none) across dimensions = [2] : (tensor<2x17x40000xf32>, tensor<2x17x40000xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x17xf32>, tensor<2x17xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %is_larger = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %is_larger, %a, %b : tensor<i1>, tensor<f32>
    %place = stablehlo.select %is_larger, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<f32>, tensor<i32>
  }
  %is_right = stablehlo.compare EQ, %max#1, %label : (tensor<2x17xi32>, tensor<2x17xi32>) -> tensor<2x17xi1>
  %maxima = stablehlo.broadcast_in_dim %max#0, dims = [0, 1] : (tensor<2x17xf32>) -> tensor<2x17x40000xf32>
  %shifted = stablehlo.subtract %logits, %maxima : tensor<2x17x40000xf32>
  %e = stablehlo.exponential %shifted : tensor<2x17x40000xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x17x40000xf32>, tensor<f32>) -> tensor<2x17xf32>
  %labels = stablehlo.broadcast_in_dim %label, dims = [0, 1] : (tensor<2x17xi32>) -> tensor<2x17x40000xi32>
  %hit = stablehlo.compare EQ, %at, %labels : (tensor<2x17x40000xi32>, tensor<2x17x40000xi32>) -> tensor<2x17x40000xi1>
  %hot = stablehlo.convert %hit : (tensor<2x17x40000xi1>) -> tensor<2x17x40000xf32>
  %picks = stablehlo.multiply %hot, %shifted : tensor<2x17x40000xf32>
  %pick = stablehlo.reduce(%picks init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x17x40000xf32>, tensor<f32>) -> tensor<2x17xf32>
  %log = stablehlo.log %sum : tensor<2x17xf32>
  %each = stablehlo.subtract %log, %pick : tensor<2x17xf32>
  %loss = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x17xf32>, tensor<f32>) -> tensor<f32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x17xf32>) -> tensor<2x17x40000xf32>
  %p = stablehlo.divide %e, %sums : tensor<2x17x40000xf32>
  %difference = stablehlo.subtract %p, %hot : tensor<2x17x40000xf32>
  %weights = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<2xf32>) -> tensor<2x17x40000xf32>
  %d = stablehlo.multiply %difference, %weights : tensor<2x17x40000xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [2] x [1] : (tensor<2x17x40000xf32>, tensor<8x40000xf32>) -> tensor<2x17x8xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0, 1] x [0, 1] : (tensor<2x17x8xf32>, tensor<2x17x40000xf32>) -> tensor<8x40000xf32>
  return %loss, %dx, %dw, %is_right : tensor<f32>, tensor<2x17x8xf32>, tensor<8x40000xf32>, tensor<2x17xi1>
}
