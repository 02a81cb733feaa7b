// A kernel of many ops that reads one row of a stack is priced as reading the row: 64 KB of a 64 MB stack.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = [k['predicted_ns'] for k in json.load(open('%t'))['kernels']]; assert len(ns) == 1 and ns[0] < 100000, ns"

func.func @main(%stack: tensor<1000x16384xf32>, %i: tensor<i32>, %x: tensor<16384xf32>) -> tensor<16384xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %place = stablehlo.dynamic_slice %stack, %i, %zero, sizes = [1, 16384] : (tensor<1000x16384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16384xf32>
  %row = stablehlo.reshape %place : (tensor<1x16384xf32>) -> tensor<16384xf32>
  %0 = stablehlo.add %row, %x : tensor<16384xf32>
  %1 = stablehlo.multiply %0, %x : tensor<16384xf32>
  %2 = stablehlo.subtract %1, %row : tensor<16384xf32>
  %3 = stablehlo.maximum %2, %x : tensor<16384xf32>
  %4 = stablehlo.negate %3 : tensor<16384xf32>
  %5 = stablehlo.multiply %4, %0 : tensor<16384xf32>
  %6 = stablehlo.add %5, %1 : tensor<16384xf32>
  %7 = stablehlo.minimum %6, %x : tensor<16384xf32>
  %8 = stablehlo.abs %7 : tensor<16384xf32>
  return %8 : tensor<16384xf32>
}
