// On the CPU the maximum and the minimum of f16 lost a NaN that met a zero: LLVM's own expansion of them takes NaN for equal to zero.
// RUN: echo-run --check --no-cache --quiet %s
// RUN: echo-run --check --no-cache --quiet --device=interpreter %s

func.func @elements() {
  %nan = stablehlo.constant dense<0x7E00> : tensor<5xf16>
  %z = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0x7E00]> : tensor<5xf16>
  %a = stablehlo.optimization_barrier %nan : tensor<5xf16>
  %b = stablehlo.optimization_barrier %z : tensor<5xf16>
  %yes = stablehlo.constant dense<true> : tensor<5xi1>
  %0 = stablehlo.maximum %a, %b : tensor<5xf16>
  %1 = stablehlo.maximum %b, %a : tensor<5xf16>
  %2 = stablehlo.minimum %a, %b : tensor<5xf16>
  %3 = stablehlo.minimum %b, %a : tensor<5xf16>
  %4 = stablehlo.compare NE, %0, %0 : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  %5 = stablehlo.compare NE, %1, %1 : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  %6 = stablehlo.compare NE, %2, %2 : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  %7 = stablehlo.compare NE, %3, %3 : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  check.expect_eq %4, %yes : tensor<5xi1>
  check.expect_eq %5, %yes : tensor<5xi1>
  check.expect_eq %6, %yes : tensor<5xi1>
  check.expect_eq %7, %yes : tensor<5xi1>
  func.return
}

func.func @zeros_are_ordered() {
  %p = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf16>
  %q = stablehlo.constant dense<[-0.0, 0.0, 0.0, -0.0]> : tensor<4xf16>
  %a = stablehlo.optimization_barrier %p : tensor<4xf16>
  %b = stablehlo.optimization_barrier %q : tensor<4xf16>
  %0 = stablehlo.maximum %a, %b : tensor<4xf16>
  %1 = stablehlo.minimum %a, %b : tensor<4xf16>
  %2 = stablehlo.bitcast_convert %0 : (tensor<4xf16>) -> tensor<4xi16>
  %3 = stablehlo.bitcast_convert %1 : (tensor<4xf16>) -> tensor<4xi16>
  %4 = stablehlo.constant dense<[0, 0, 0, -32768]> : tensor<4xi16>
  %5 = stablehlo.constant dense<[-32768, -32768, 0, -32768]> : tensor<4xi16>
  check.expect_eq %2, %4 : tensor<4xi16>
  check.expect_eq %3, %5 : tensor<4xi16>
  func.return
}

// Zeros all over, and one NaN in each row.
func.func @rows() {
  %i = stablehlo.iota dim = 1 : tensor<40x300xi32>
  %r = stablehlo.iota dim = 0 : tensor<40x300xi32>
  %seven = stablehlo.constant dense<7> : tensor<40x300xi32>
  %at = stablehlo.multiply %r, %seven : tensor<40x300xi32>
  %is = stablehlo.compare EQ, %i, %at : (tensor<40x300xi32>, tensor<40x300xi32>) -> tensor<40x300xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<40x300xf16>
  %nan = stablehlo.constant dense<0x7E00> : tensor<40x300xf16>
  %x = stablehlo.select %is, %nan, %zero : tensor<40x300xi1>, tensor<40x300xf16>
  %low = stablehlo.constant dense<0xFC00> : tensor<f16>
  %high = stablehlo.constant dense<0x7C00> : tensor<f16>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<40x300xf16>, tensor<f16>) -> tensor<40xf16>
  %1 = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<40x300xf16>, tensor<f16>) -> tensor<40xf16>
  %2 = stablehlo.compare NE, %0, %0 : (tensor<40xf16>, tensor<40xf16>) -> tensor<40xi1>
  %3 = stablehlo.compare NE, %1, %1 : (tensor<40xf16>, tensor<40xf16>) -> tensor<40xi1>
  %yes = stablehlo.constant dense<true> : tensor<40xi1>
  check.expect_eq %2, %yes : tensor<40xi1>
  check.expect_eq %3, %yes : tensor<40xi1>
  func.return
}
