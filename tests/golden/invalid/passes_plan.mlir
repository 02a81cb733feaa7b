// RUN: not echo-opt --fuse %s 2>&1 | FileCheck %s
// RUN: not echo-opt --bufferize %s 2>&1 | FileCheck %s --check-prefix=BUFFERIZE

// CHECK: error: 'func.call' op must be inlined before fusion; what calls itself cannot be
// BUFFERIZE: error: 'func.call' op is not in a kernel; fuse comes before bufferize
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
