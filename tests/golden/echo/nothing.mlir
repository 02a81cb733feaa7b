// RUN: echo-opt %s --to=echoed --echo -o /dev/null 2>&1 | FileCheck %s
// RUN: echo-opt %s --to=echoed --echo=budget=min -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: echo-opt %s --to=echoed --echo=budget=1GiB -o /dev/null 2>&1 | count 0

// Where nothing could be saved it is said, with what holds the peak; not where a budget is met anyway.
// CHECK: nothing.mlir:[[#@LINE+5]]:1: remark: echo: nothing is computed again: for at most 2 % more time nothing lowers the peak of 32832 bytes
// CHECK: nothing.mlir:[[#@LINE+6]]:10: remark: at the peak: 32768 bytes inside stablehlo.while
// CHECK: nothing.mlir:[[#@LINE+14]]:10: remark: at the peak: 32768 bytes in 2 of stablehlo.dot_general tensor<64x64xf32>, forward
// LEAST: remark: echo: nothing is computed again: nothing lowers the peak of 32832 bytes

func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<64x64xf32>
   cond {
    %n = stablehlo.constant dense<4000> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<64x64xf32>
  }
  return %0#1 : tensor<64x64xf32>
}
