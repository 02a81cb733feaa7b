// Gradients of layers and losses, through their lowering; see tests/unit/grad/gradient_test.c.
func.func @linear(%x: tensor<2x3x4xf64>, %w: tensor<4x5xf64>, %b: tensor<5xf64>) -> tensor<2x3x5xf64> {
  %0 = "nn.linear"(%x, %w, %b) : (tensor<2x3x4xf64>, tensor<4x5xf64>, tensor<5xf64>) -> tensor<2x3x5xf64>
  return %0 : tensor<2x3x5xf64>
}
func.func @embedding(%t: tensor<6x3xf64>, %ids: tensor<4x2xi32> {test.high = 6.0}) -> tensor<4x2x3xf64> {
  %0 = "nn.embedding"(%t, %ids) : (tensor<6x3xf64>, tensor<4x2xi32>) -> tensor<4x2x3xf64>
  return %0 : tensor<4x2x3xf64>
}
func.func @lstm(%x: tensor<3x2x2xf64>, %h: tensor<2x3xf64>, %c: tensor<2x3xf64>, %wi: tensor<2x12xf64>, %wh: tensor<3x12xf64>, %b: tensor<12xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) {
  %0:3 = "nn.lstm"(%x, %h, %c, %wi, %wh, %b) : (tensor<3x2x2xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x12xf64>, tensor<3x12xf64>, tensor<12xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>)
  return %0#0, %0#1, %0#2 : tensor<3x2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>
}
func.func @gru(%x: tensor<3x2x2xf64>, %h: tensor<2x3xf64>, %wi: tensor<2x9xf64>, %wh: tensor<3x9xf64>, %bi: tensor<9xf64>, %bh: tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>) {
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %bi, %bh) : (tensor<3x2x2xf64>, tensor<2x3xf64>, tensor<2x9xf64>, tensor<3x9xf64>, tensor<9xf64>, tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>)
  return %0#0, %0#1 : tensor<3x2x3xf64>, tensor<2x3xf64>
}
func.func @attention_mlp(%q: tensor<2x3xf64>, %k: tensor<2x4x3xf64>, %m: tensor<2x4x5xf64>, %v: tensor<3xf64>, %mask: tensor<2x4xi1> {test.high = 2.0}) -> (tensor<2x5xf64>, tensor<2x4xf64>) {
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v, %mask) : (tensor<2x3xf64>, tensor<2x4x3xf64>, tensor<2x4x5xf64>, tensor<3xf64>, tensor<2x4xi1>) -> (tensor<2x5xf64>, tensor<2x4xf64>)
  return %0#0, %0#1 : tensor<2x5xf64>, tensor<2x4xf64>
}
func.func @attention_dot(%q: tensor<1x2x3x4xf64>, %k: tensor<1x2x5x4xf64>, %v: tensor<1x2x5x4xf64>, %mask: tensor<1x1x3x5xi1> {test.high = 2.0}) -> tensor<1x2x3x4xf64> {
  %0 = "nn.attention_dot"(%q, %k, %v, %mask) : (tensor<1x2x3x4xf64>, tensor<1x2x5x4xf64>, tensor<1x2x5x4xf64>, tensor<1x1x3x5xi1>) -> tensor<1x2x3x4xf64>
  return %0 : tensor<1x2x3x4xf64>
}
func.func @layer_norm(%x: tensor<3x4xf64>, %s: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<3x4xf64> {
  %0 = "nn.layer_norm"(%x, %s, %b) <{epsilon = 1.0e-1 : f64}> : (tensor<3x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
func.func @batch_norm(%x: tensor<4x3x2xf64>, %s: tensor<3xf64>, %b: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:3 = "nn.batch_norm"(%x, %s, %b, %m, %v) <{feature_index = 1 : i64, epsilon = 1.0e-1 : f64, momentum = 0.9 : f64}> : (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>
}
func.func @dropout(%x: tensor<4x8xf64>, %key: tensor<ui64> {test.high = 100.0}, %counter: tensor<ui64> {test.high = 100.0}) -> tensor<4x8xf64> {
  %0 = "nn.dropout"(%x, %key, %counter) <{rate = 0.25 : f64}> : (tensor<4x8xf64>, tensor<ui64>, tensor<ui64>) -> tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}
func.func @softmax(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = "nn.softmax"(%x) : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
func.func @softmax_cross_entropy(%x: tensor<2x3x5xf64>, %labels: tensor<2x3xi32> {test.high = 5.0}, %mask: tensor<2x3xf64> {test.low = 0.5, test.high = 1.0}) -> tensor<f64> {
  %0 = "nn.softmax_cross_entropy"(%x, %labels, %mask) : (tensor<2x3x5xf64>, tensor<2x3xi32>, tensor<2x3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
func.func @softmax_cross_entropy_without_mask(%x: tensor<4x5xf64>, %labels: tensor<4xi32> {test.high = 5.0}) -> tensor<f64> {
  %0 = "nn.softmax_cross_entropy"(%x, %labels) : (tensor<4x5xf64>, tensor<4xi32>) -> tensor<f64>
  return %0 : tensor<f64>
}
func.func @gru_reversed(%x: tensor<3x2x2xf64>, %h: tensor<2x3xf64>, %wi: tensor<2x9xf64>, %wh: tensor<3x9xf64>, %bi: tensor<9xf64>, %bh: tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>) {
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %bi, %bh) <{is_reverse = true}> : (tensor<3x2x2xf64>, tensor<2x3xf64>, tensor<2x9xf64>, tensor<3x9xf64>, tensor<9xf64>, tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>)
  return %0#0, %0#1 : tensor<3x2x3xf64>, tensor<2x3xf64>
}
func.func @gru_in_a_loop(%x: tensor<3x2x2xf64>, %h: tensor<2x3xf64>, %wi: tensor<2x9xf64>, %wh: tensor<3x9xf64>, %bi: tensor<9xf64>, %bh: tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>) {
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %bi, %bh) <{is_reverse = true, is_loop = true}> : (tensor<3x2x2xf64>, tensor<2x3xf64>, tensor<2x9xf64>, tensor<3x9xf64>, tensor<9xf64>, tensor<9xf64>) -> (tensor<3x2x3xf64>, tensor<2x3xf64>)
  return %0#0, %0#1 : tensor<3x2x3xf64>, tensor<2x3xf64>
}
func.func @log_softmax(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = "nn.log_softmax"(%x) : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
// Three labels beside the blank, rows of two, one and none.
func.func @ctc_loss(%x: tensor<5x3x4xf64>, %l: tensor<3x2xi32> {test.high = 3.0}) -> tensor<3xf64> {
  %t = stablehlo.constant dense<[5, 4, 3]> : tensor<3xi32>
  %n = stablehlo.constant dense<[2, 1, 0]> : tensor<3xi32>
  %0 = "nn.ctc_loss"(%x, %l, %t, %n) <{blank = 3 : i64}> : (tensor<5x3x4xf64>, tensor<3x2xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @ctc_loss_unrolled(%x: tensor<5x3x4xf64>, %l: tensor<3x2xi32> {test.high = 3.0}) -> tensor<3xf64> {
  %t = stablehlo.constant dense<[5, 4, 3]> : tensor<3xi32>
  %n = stablehlo.constant dense<[2, 1, 0]> : tensor<3xi32>
  %0 = "nn.ctc_loss"(%x, %l, %t, %n) <{blank = 3 : i64, is_loop = false}> : (tensor<5x3x4xf64>, tensor<3x2xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// Through an optimizer's step: gradients by its rate, and by gradients.
func.func @sgd(%x: tensor<4xf64>, %g: tensor<4xf64>, %r: tensor<f64>, %v: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0:2 = "nn.sgd"(%x, %g, %r, %v) <{momentum = 0.9 : f64, weight_decay = 0.1 : f64}> : (tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %0#0, %0#1 : tensor<4xf64>, tensor<4xf64>
}
func.func @adam(%x: tensor<4xf64>, %g: tensor<4xf64>, %m: tensor<4xf64>, %v: tensor<4xf64> {test.low = 0.5, test.high = 1.0}, %t: tensor<i32> {test.low = 2.0, test.high = 4.0}, %r: tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0:3 = "nn.adam"(%x, %g, %m, %v, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 0.1 : f64, weight_decay = 0.1 : f64}> : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<i32>, tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0, %0#1, %0#2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}
