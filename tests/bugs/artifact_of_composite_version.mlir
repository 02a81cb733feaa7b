// RUN: echo-opt %s --emit-bytecode --target-version=1.20.0 -o %t.1.bc && echo-opt %t.1.bc --emit-bytecode --target-version=1.20.0 -o %t.2.bc && cmp %t.1.bc %t.2.bc
// A version that is said, 0 of i32, was left out in reading and written again as the default, 0 of i64.
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "stablehlo.composite"(%x) <{decomposition = @decomposition, name = "my.op", version = 0 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.composite"(%x) <{decomposition = @decomposition, name = "my.op"}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @decomposition(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
