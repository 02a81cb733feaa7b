func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %s = "bad.op"(%x) : (tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
