func.func private @softsign_2.0(%x: tensor<512x256xf32>) -> tensor<512x256xf32> {
  %k = stablehlo.constant dense<2.0> : tensor<512x256xf32>
  %one = stablehlo.constant dense<1.0> : tensor<512x256xf32>
  %abs = stablehlo.abs %x : tensor<512x256xf32>
  %scaled = stablehlo.multiply %k, %abs : tensor<512x256xf32>
  %below = stablehlo.add %one, %scaled : tensor<512x256xf32>
  %y = stablehlo.divide %x, %below : tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}
func.func private @softsign_0.5(%x: tensor<512x256xf32>) -> tensor<512x256xf32> {
  %k = stablehlo.constant dense<0.5> : tensor<512x256xf32>
  %one = stablehlo.constant dense<1.0> : tensor<512x256xf32>
  %abs = stablehlo.abs %x : tensor<512x256xf32>
  %scaled = stablehlo.multiply %k, %abs : tensor<512x256xf32>
  %below = stablehlo.add %one, %scaled : tensor<512x256xf32>
  %y = stablehlo.divide %x, %below : tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}
func.func private @softsign_1.0(%x: tensor<512x256xf32>) -> tensor<512x256xf32> {
  %k = stablehlo.constant dense<1.0> : tensor<512x256xf32>
  %one = stablehlo.constant dense<1.0> : tensor<512x256xf32>
  %abs = stablehlo.abs %x : tensor<512x256xf32>
  %scaled = stablehlo.multiply %k, %abs : tensor<512x256xf32>
  %below = stablehlo.add %one, %scaled : tensor<512x256xf32>
  %y = stablehlo.divide %x, %below : tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}
