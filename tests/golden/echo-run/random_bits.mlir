// Random bits are XLA's: by THREE_FRY along the first even or else the largest dimension, by PHILOX with the key as the counter's high word; on the interpreter and in kernels.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet

func.func @three_fry() {
  %key = stablehlo.constant dense<[81985529216486895, 18446744073709551613]> : tensor<2xui64>
  %s0, %b0 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s0, dense<[81985529216486895, 0]> : tensor<2xui64>
  check.expect_eq_const %b0, dense<[1069913439, 2117715676, 2968789339, 3784990900, 188576916]> : tensor<5xui32>
  %s1, %b1 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>)
  check.expect_eq_const %s1, dense<[81985529216486895, 3]> : tensor<2xui64>
  check.expect_eq_const %b1, dense<[[95, 220, 91, 180], [148, 220, 137, 244], [7, 19, 241, 228]]> : tensor<3x4xui8>
  %s2, %b2 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
  check.expect_eq_const %s2, dense<[81985529216486895, 6]> : tensor<2xui64>
  check.expect_eq_const %b2, dense<[[38239, 50908, 8539, 24756, 29844], [55433, 50420, 10503, 34323, 58865], [6616, 56291, 48061, 64792, 670]]> : tensor<3x5xui16>
  %s3, %b3 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %s3, dense<[81985529216486895, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %b3, dense<1069913439> : tensor<ui32>
  %s4, %b4 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  check.expect_eq_const %s4, dense<[81985529216486895, 2]> : tensor<2xui64>
  check.expect_eq_const %b4, dense<[9095519571716445535, 16256412134126395739, 12463928418108273812, 7725297290937948297, 15266505729992108295]> : tensor<5xui64>
  func.return
}
func.func @philox() {
  %key = stablehlo.constant dense<[81985529216486895, 18446744073709551613]> : tensor<2xui64>
  %s0, %b0 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s0, dense<[81985529216486895, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %b0, dense<[1557018983, 172230685, 3652096380, 2074821526, 172511636]> : tensor<5xui32>
  %s1, %b1 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>)
  check.expect_eq_const %s1, dense<[81985529216486895, 0]> : tensor<2xui64>
  check.expect_eq_const %b1, dense<[[103, 29, 124, 150], [148, 6, 238, 212], [243, 224, 137, 124]]> : tensor<3x4xui8>
  %s2, %b2 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
  check.expect_eq_const %s2, dense<[81985529216486895, 1]> : tensor<2xui64>
  check.expect_eq_const %b2, dense<[[14695, 2077, 37244, 17302, 20884], [63494, 12270, 41940, 23027, 34272], [13193, 63100, 53860, 54494, 18062]]> : tensor<3x5xui16>
  %s3, %b3 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %s3, dense<[81985529216486895, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %b3, dense<1557018983> : tensor<ui32>
  %s4, %b4 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  check.expect_eq_const %s4, dense<[81985529216486895, 0]> : tensor<2xui64>
  check.expect_eq_const %b4, dense<[739725160999696743, 8911290602858910076, 4739466887703318932, 4072841572553732078, 3491281334367377907]> : tensor<5xui64>
  func.return
}
func.func @default() {
  %key = stablehlo.constant dense<[81985529216486895, 18446744073709551613]> : tensor<2xui64>
  %s0, %b0 = stablehlo.rng_bit_generator %key, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s0, dense<[81985529216486895, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %b0, dense<[1557018983, 172230685, 3652096380, 2074821526, 172511636]> : tensor<5xui32>
  func.return
}
