// RUN: echo-opt %s --to=planned --device-model=gpu-a100-40g --echo=budget=min | FileCheck %s
// Cuts were proposed at three fixed prices of recompute. The least of this step lies at one between them: it was 655360 bytes.
// CHECK: plan.temp_bytes = 540672 : i64
func.func @main(%x: tensor<512x64xf32>, %y: tensor<512x64xf32>, %rate: tensor<f32>, %u0: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %d0: tensor<64x64xf32> {tf.aliasing_output = 1 : i32}, %u1: tensor<64x64xf32> {tf.aliasing_output = 2 : i32}, %d1: tensor<64x64xf32> {tf.aliasing_output = 3 : i32}, %u2: tensor<64x64xf32> {tf.aliasing_output = 4 : i32}, %d2: tensor<64x64xf32> {tf.aliasing_output = 5 : i32}) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
  %a0 = "nn.linear"(%x, %u0) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s0 = stablehlo.logistic %a0 : tensor<512x64xf32>
  %b0 = stablehlo.multiply %a0, %s0 : tensor<512x64xf32>
  %c0 = "nn.linear"(%b0, %d0) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %h0 = stablehlo.add %x, %c0 : tensor<512x64xf32>
  %a1 = "nn.linear"(%h0, %u1) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s1 = stablehlo.logistic %a1 : tensor<512x64xf32>
  %b1 = stablehlo.multiply %a1, %s1 : tensor<512x64xf32>
  %c1 = "nn.linear"(%b1, %d1) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %h1 = stablehlo.add %h0, %c1 : tensor<512x64xf32>
  %a2 = "nn.linear"(%h1, %u2) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s2 = stablehlo.logistic %a2 : tensor<512x64xf32>
  %b2 = stablehlo.multiply %a2, %s2 : tensor<512x64xf32>
  %c2 = "nn.linear"(%b2, %d2) : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %h2 = stablehlo.add %h1, %c2 : tensor<512x64xf32>
  %z = stablehlo.subtract %h2, %y : tensor<512x64xf32>
  %zz = stablehlo.multiply %z, %z : tensor<512x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%zz init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<f32>
  %g:6 = "nn.gradient"(%loss, %u0, %d0, %u1, %d1, %u2, %d2) : (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
  %n0 = "nn.sgd"(%u0, %g#0, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %n1 = "nn.sgd"(%d0, %g#1, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %n2 = "nn.sgd"(%u1, %g#2, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %n3 = "nn.sgd"(%d1, %g#3, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %n4 = "nn.sgd"(%u2, %g#4, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %n5 = "nn.sgd"(%d2, %g#5, %rate) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  return %n0, %n1, %n2, %n3, %n4, %n5, %loss : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
}
