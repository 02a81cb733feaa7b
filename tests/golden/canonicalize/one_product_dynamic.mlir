// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// A transpose that takes something from its type: the product stands in front of it.
// CHECK-LABEL: func.func @main(
// CHECK:         stablehlo.multiply {{.*}} : tensor<6x5xf32>
// CHECK:         %[[P:.*]] = stablehlo.add {{.*}} : tensor<6x5xf32>
// CHECK:         stablehlo.transpose %[[P]], dims = [1, 0] : (tensor<6x5xf32>) -> tensor<?x6xf32>
func.func @main(%x: tensor<1x6xf32>, %d: tensor<1x5xf32>) -> tensor<?x6xf32> {
  %0 = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x5xf32>) -> tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}
