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
// Whole numbers too, where the reflection that is not taken has a pole.
func.func @lgamma(%x: tensor<12xf64> {test.low = -2.9, test.high = 12.0}) -> (tensor<12xf64>, tensor<12xf64>) {
  %0 = chlo.lgamma %x : tensor<12xf64> -> tensor<12xf64>
  %c = stablehlo.constant dense<3.0> : tensor<12xf64>
  %w = stablehlo.floor %x : tensor<12xf64>
  %f = stablehlo.subtract %x, %w : tensor<12xf64>
  %d = stablehlo.subtract %f, %f : tensor<12xf64>
  %y = stablehlo.add %d, %c : tensor<12xf64>
  %1 = chlo.lgamma %y : tensor<12xf64> -> tensor<12xf64>
  return %0, %1 : tensor<12xf64>, tensor<12xf64>
}
func.func @digamma(%x: tensor<12xf64> {test.low = -0.9, test.high = 12.0}) -> tensor<12xf64> {
  %0 = chlo.digamma %x : tensor<12xf64> -> tensor<12xf64>
  return %0 : tensor<12xf64>
}
func.func @bessel_i1e(%x: tensor<12xf64> {test.low = -15.0, test.high = 15.0}) -> tensor<12xf64> {
  %0 = chlo.bessel_i1e %x : tensor<12xf64> -> tensor<12xf64>
  return %0 : tensor<12xf64>
}
func.func @zeta(%x: tensor<6xf64> {test.low = 2.0, test.high = 6.0}, %q: tensor<6xf64> {test.low = 0.7, test.high = 6.0}) -> tensor<6xf64> {
  %0 = chlo.zeta %x, %q : tensor<6xf64>, tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
func.func @broadcast(%x: tensor<3x2xf64>, %y: tensor<2xf64>) -> tensor<3x2xf64> {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
func.func @conj(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = chlo.conj %x : tensor<4xf64> -> tensor<4xf64>
  %1 = stablehlo.multiply %0, %x : tensor<4xf64>
  return %1 : tensor<4xf64>
}
// By the argument: the order is a whole number.
func.func @polygamma(%x: tensor<4xf64> {test.low = 0.7, test.high = 6.0}) -> tensor<4xf64> {
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, 5.0]> : tensor<4xf64>
  %0 = chlo.polygamma %n, %x : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @top_k(%x: tensor<2x6xf64>) -> tensor<2x3xf64> {
  %0, %1 = chlo.top_k(%x, k = 3) : tensor<2x6xf64> -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return %0 : tensor<2x3xf64>
}
func.func @scan(%xs: tensor<2x4xf64>, %h: tensor<2xf64>) -> (tensor<2x4xf64>, tensor<2xf64>) {
  %0:2 = chlo.scan(%xs) inits (%h) dimension=1 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xf64>, %carry: tensor<2xf64>):
    %1 = stablehlo.multiply %x, %carry : tensor<2xf64>
    %2 = chlo.sinh %1 : tensor<2xf64> -> tensor<2xf64>
    stablehlo.return %1, %2 : tensor<2xf64>, tensor<2xf64>
  } : (tensor<2x4xf64>, tensor<2xf64>) -> (tensor<2x4xf64>, tensor<2xf64>)
  return %0#0, %0#1 : tensor<2x4xf64>, tensor<2xf64>
}
func.func @ragged_rows(%x: tensor<5x3xf64>, %w: tensor<3x3x2xf64>) -> tensor<5x2xf64> {
  %g = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<5x3xf64>, tensor<3x3x2xf64>, tensor<3xi32>) -> tensor<5x2xf64>
  return %0 : tensor<5x2xf64>
}
func.func @ragged_sums(%x: tensor<5x3xf64>, %w: tensor<5x2xf64>) -> tensor<3x3x2xf64> {
  %g = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<5x3xf64>, tensor<5x2xf64>, tensor<3xi32>) -> tensor<3x3x2xf64>
  return %0 : tensor<3x3x2xf64>
}
