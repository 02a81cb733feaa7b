// Gradients of chlo ops, through their lowering; see tests/unit/grad/gradient_test.c.
func.func @erf(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.erf %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @erfc(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.erfc %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @erf_inv(%x: tensor<6xf64> {test.low = -0.9, test.high = 0.9}) -> tensor<6xf64> {
  %0 = chlo.erf_inv %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @square(%x: tensor<6xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<6xf64> {
  %0 = chlo.square %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @acos(%x: tensor<6xf64> {test.low = -0.8, test.high = 0.8}) -> tensor<6xf64> {
  %0 = chlo.acos %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @asin(%x: tensor<6xf64> {test.low = -0.8, test.high = 0.8}) -> tensor<6xf64> {
  %0 = chlo.asin %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @atan(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.atan %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @acosh(%x: tensor<6xf64> {test.low = 1.2, test.high = 3.0}) -> tensor<6xf64> {
  %0 = chlo.acosh %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @asinh(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.asinh %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @atanh(%x: tensor<6xf64> {test.low = -0.8, test.high = 0.8}) -> tensor<6xf64> {
  %0 = chlo.atanh %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @cosh(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.cosh %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @sinh(%x: tensor<6xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<6xf64> {
  %0 = chlo.sinh %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @tan(%x: tensor<6xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<6xf64> {
  %0 = chlo.tan %x : tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
