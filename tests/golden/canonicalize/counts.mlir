// RUN: echo-opt %s --canonicalize | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet

// The number of each of 6 elements as JAX's random bits have it, in 64 bits, taken apart into two words of 32: the upper one is zero,
// the lower one is counted in 32 bits.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     ui64
// CHECK-NOT:     shift_right_logical
// CHECK-DAG:     %[[LOW:.*]] = stablehlo.add {{.*}} : tensor<2x3xui32>
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2x3xui32>
// CHECK:         return %[[ZERO]], %[[LOW]]
func.func @main() -> (tensor<2x3xui32>, tensor<2x3xui32>) {
  %three = stablehlo.constant dense<3> : tensor<ui64>
  %threes = stablehlo.broadcast_in_dim %three, dims = [] : (tensor<ui64>) -> tensor<2x3xui64>
  %i = stablehlo.iota dim = 0 : tensor<2x3xui64>
  %j = stablehlo.iota dim = 1 : tensor<2x3xui64>
  %row = stablehlo.multiply %threes, %i : tensor<2x3xui64>
  %n = stablehlo.add %row, %j : tensor<2x3xui64>
  %half = stablehlo.constant dense<32> : tensor<2x3xui64>
  %upper = stablehlo.shift_right_logical %n, %half : tensor<2x3xui64>
  %high = stablehlo.convert %upper : (tensor<2x3xui64>) -> tensor<2x3xui32>
  %low = stablehlo.convert %n : (tensor<2x3xui64>) -> tensor<2x3xui32>
  return %high, %low : tensor<2x3xui32>, tensor<2x3xui32>
}

// An upper word that may be more than zero, a sum that may wrap around, a factor that nobody knows, and what is read in 64 bits, too.
// CHECK-LABEL: func.func @wide
// CHECK:         stablehlo.multiply {{.*}} : tensor<2x3xui64>
// CHECK:         stablehlo.shift_right_logical
// CHECK:         stablehlo.shift_right_logical
// CHECK:         stablehlo.shift_right_logical
// CHECK:         stablehlo.convert {{.*}} : (tensor<2x3xui64>) -> tensor<2x3xui32>
func.func @wide(%x: tensor<2x3xui64>) -> (tensor<2x3xui64>, tensor<2x3xui8>, tensor<2x3xui64>, tensor<2x3xui64>, tensor<2x3xui32>) {
  %many = stablehlo.constant dense<4294967296> : tensor<2x3xui64>
  %half = stablehlo.constant dense<32> : tensor<2x3xui64>
  %i = stablehlo.iota dim = 0 : tensor<2x3xui64>
  %n = stablehlo.multiply %many, %i : tensor<2x3xui64>
  %upper = stablehlo.shift_right_logical %n, %half : tensor<2x3xui64>
  %most = stablehlo.constant dense<255> : tensor<2x3xui8>
  %one = stablehlo.constant dense<1> : tensor<2x3xui8>
  %j = stablehlo.iota dim = 1 : tensor<2x3xui8>
  %sum = stablehlo.add %most, %j : tensor<2x3xui8>
  %wrapped = stablehlo.shift_right_logical %sum, %one : tensor<2x3xui8>
  %product = stablehlo.multiply %x, %i : tensor<2x3xui64>
  %unknown = stablehlo.shift_right_logical %product, %half : tensor<2x3xui64>
  %low = stablehlo.convert %product : (tensor<2x3xui64>) -> tensor<2x3xui32>
  return %upper, %wrapped, %unknown, %product, %low : tensor<2x3xui64>, tensor<2x3xui8>, tensor<2x3xui64>, tensor<2x3xui64>, tensor<2x3xui32>
}
