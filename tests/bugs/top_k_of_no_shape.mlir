// RUN: not echo-opt %s --to=planned 2>&1 | FileCheck %s

// Places of elements are numbered where it is known how many there are: one of no rank ended the process.
// CHECK: top_k_of_no_shape.mlir:7:10: error: 'chlo.top_k' op
// CHECK: top_k_of_no_shape.mlir:11:10: error: 'chlo.top_k' op
func.func @unranked(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xi32>) {
  %0:2 = chlo.top_k(%x, k = 8) : tensor<*xf32> -> (tensor<*xf32>, tensor<*xi32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi32>
}
func.func @ranked(%x: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %0:2 = chlo.top_k(%x, k = 8) : tensor<?xf32> -> (tensor<8xf32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
