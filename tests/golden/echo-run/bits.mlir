// RUN: echo-run --check --device=interpreter %s
// RUN: echo-run --check %s

// A predicate is one bit of a number, the first one the lowest.
func.func @packed() {
  %p = stablehlo.constant dense<[[true, false, true, true, false, false, false, false], [false, true, false, false, false, false, false, true]]> : tensor<2x8xi1>
  %r = stablehlo.bitcast_convert %p : (tensor<2x8xi1>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[13, 130]> : tensor<2xui8>
  return
}

func.func @unpacked() {
  %x = stablehlo.constant dense<1.500000e+00> : tensor<f16>
  %r = stablehlo.bitcast_convert %x : (tensor<f16>) -> tensor<16xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, false, false, false, false, false, true, true, true, true, true, false, false]> : tensor<16xi1>
  return
}

func.func @none() {
  %p = stablehlo.constant dense<> : tensor<0x8xi1>
  %r = stablehlo.bitcast_convert %p : (tensor<0x8xi1>) -> tensor<0xi8>
  check.expect_eq_const %r, dense<> : tensor<0xi8>
  return
}
