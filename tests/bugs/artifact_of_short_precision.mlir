// RUN: echo-opt %s --emit-bytecode --target-version=1.20.0 -o %t.1.bc && echo-opt %t.1.bc -o %t.mlir && FileCheck %s < %t.mlir
// RUN: echo-opt %t.1.bc --emit-bytecode --target-version=1.20.0 -o %t.2.bc && cmp %t.1.bc %t.2.bc
// Any list of DEFAULT was left out in reading, and written as two again: another artifact than the one read.
// CHECK: stablehlo.dot %arg0, %arg1, precision = [] :
// CHECK: stablehlo.dot %arg0, %arg1, precision = [DEFAULT] :
// CHECK: stablehlo.dot %arg0, %arg1 :
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.dot %x, %y, precision = [] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = stablehlo.dot %x, %y, precision = [DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %2 = stablehlo.dot %x, %y, precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
