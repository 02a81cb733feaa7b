// Gradients of elementwise ops; see tests/unit/grad/gradient_test.c.
func.func @abs(%x: tensor<5xf64> {test.low = 0.2, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.abs %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @cbrt(%x: tensor<5xf64> {test.low = 0.3, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.cbrt %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @cosine(%x: tensor<5xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.cosine %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @exponential(%x: tensor<5xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.exponential %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @exponential_minus_one(%x: tensor<5xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.exponential_minus_one %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @log(%x: tensor<5xf64> {test.low = 0.3, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.log %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @log_plus_one(%x: tensor<5xf64> {test.low = -0.5, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.log_plus_one %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @logistic(%x: tensor<5xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.logistic %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @negate(%x: tensor<5xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.negate %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @rsqrt(%x: tensor<5xf64> {test.low = 0.4, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.rsqrt %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @sine(%x: tensor<5xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.sine %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @sqrt(%x: tensor<5xf64> {test.low = 0.4, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.sqrt %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @tan(%x: tensor<5xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<5xf64> {
  %0 = stablehlo.tan %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @tanh(%x: tensor<5xf64> {test.low = -2.0, test.high = 2.0}) -> tensor<5xf64> {
  %0 = stablehlo.tanh %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @floor(%x: tensor<5xf64> {test.low = 0.1, test.high = 0.9}) -> tensor<5xf64> {
  %0 = stablehlo.floor %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @ceil(%x: tensor<5xf64> {test.low = 0.1, test.high = 0.9}) -> tensor<5xf64> {
  %0 = stablehlo.ceil %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @sign(%x: tensor<5xf64> {test.low = 0.1, test.high = 0.9}) -> tensor<5xf64> {
  %0 = stablehlo.sign %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @round_nearest_even(%x: tensor<5xf64> {test.low = 0.1, test.high = 0.4}) -> tensor<5xf64> {
  %0 = stablehlo.round_nearest_even %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @round_nearest_afz(%x: tensor<5xf64> {test.low = 0.1, test.high = 0.4}) -> tensor<5xf64> {
  %0 = stablehlo.round_nearest_afz %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @add(%x: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}, %y: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.add %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @subtract(%x: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}, %y: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.subtract %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @multiply(%x: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}, %y: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.multiply %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @divide(%x: tensor<2x3xf64> {test.low = 0.5, test.high = 2.0}, %y: tensor<2x3xf64> {test.low = 0.5, test.high = 2.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.divide %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @maximum(%x: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}, %y: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.maximum %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @minimum(%x: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}, %y: tensor<2x3xf64> {test.low = -1.0, test.high = 1.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.minimum %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @power(%x: tensor<2x3xf64> {test.low = 0.5, test.high = 2.0}, %y: tensor<2x3xf64> {test.low = 0.5, test.high = 2.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.power %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @remainder(%x: tensor<2x3xf64> {test.low = 0.5, test.high = 3.0}, %y: tensor<2x3xf64> {test.low = 0.5, test.high = 3.0}) -> tensor<2x3xf64> {
  %0 = stablehlo.remainder %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @atan2(%x: tensor<2x3xf64> {test.low = 0.3, test.high = 1.5}, %y: tensor<2x3xf64> {test.low = 0.3, test.high = 1.5}) -> tensor<2x3xf64> {
  %0 = stablehlo.atan2 %x, %y : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func @select(%p: tensor<6xi1> {test.high = 2.0}, %x: tensor<6xf64>, %y: tensor<6xf64>) -> tensor<6xf64> {
  %0 = stablehlo.select %p, %x, %y : tensor<6xi1>, tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @clamp(%l: tensor<f64> {test.low = -0.5, test.high = -0.4}, %x: tensor<8xf64>, %h: tensor<f64> {test.low = 0.3, test.high = 0.5}) -> tensor<8xf64> {
  %0 = stablehlo.clamp %l, %x, %h : (tensor<f64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
func.func @same_operand_twice(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf64>
  %1 = stablehlo.add %0, %x : tensor<3xf64>
  return %1 : tensor<3xf64>
}
func.func @unused(%x: tensor<3xf64>, %y: tensor<2xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tanh %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @convert(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.convert %x : tensor<4xf64>
  %1 = stablehlo.multiply %0, %x : tensor<4xf64>
  return %1 : tensor<4xf64>
}
func.func @real(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = stablehlo.real %x : tensor<4xf64>
  %1 = stablehlo.imag %x : tensor<4xf64>
  %2 = stablehlo.multiply %0, %x : tensor<4xf64>
  return %1, %2 : tensor<4xf64>, tensor<4xf64>
}
func.func @map(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    %2 = stablehlo.tanh %1 : tensor<f64>
    %3 = stablehlo.add %2, %a : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
