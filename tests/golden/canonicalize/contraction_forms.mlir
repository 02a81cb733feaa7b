// Products as exporters write them that have one batching, one free and one contracted dimension:
// what was transposed and reshaped for them is read where it lies.
// RUN: echo-opt %s --canonicalize --dce | FileCheck %s

// The gradient of a weight: batch and time are contracted, and become one.
// CHECK-LABEL: func.func @weight(
// CHECK-NEXT:    %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<8x16x32xf32>) -> tensor<128x32xf32>
// CHECK-NEXT:    %[[P:.*]] = stablehlo.dot_general %[[X]], %arg1, contracting_dims = [0] x [0] : (tensor<128x32xf32>, tensor<128x24xf32>) -> tensor<32x24xf32>
// CHECK-NEXT:    return %[[P]]
func.func @weight(%x: tensor<8x16x32xf32>, %g: tensor<128x24xf32>) -> tensor<32x24xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<8x16x32xf32>) -> tensor<32x8x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<32x8x16xf32>) -> tensor<32x128xf32>
  %2 = stablehlo.dot_general %1, %g, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x24xf32>) -> tensor<32x24xf32>
  return %2 : tensor<32x24xf32>
}

// Heads of attention, one with the batch: they stay apart, and nothing is transposed.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT:    %[[S:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x5x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32>
// CHECK-NEXT:    return %[[S]]
func.func @heads(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
  %0 = stablehlo.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32>
  %2 = stablehlo.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x6x3x4xf32>) -> tensor<2x3x4x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x3x4x6xf32>) -> tensor<6x4x6xf32>
  %4 = stablehlo.dot_general %1, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x4xf32>, tensor<6x4x6xf32>) -> tensor<6x5x6xf32>
  %5 = stablehlo.reshape %4 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %5 : tensor<2x3x5x6xf32>
}

// Dimensions of one element are nowhere in the way.
// CHECK-LABEL: func.func @ones(
// CHECK-NOT:     transpose
// CHECK:         return
func.func @ones(%x: tensor<8x1x16x32xf32>, %g: tensor<128x24xf32>) -> tensor<32x24xf32> {
  %0 = stablehlo.transpose %x, dims = [3, 0, 2, 1] : (tensor<8x1x16x32xf32>) -> tensor<32x8x16x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<32x8x16x1xf32>) -> tensor<32x128xf32>
  %2 = stablehlo.dot_general %1, %g, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x24xf32>) -> tensor<32x24xf32>
  return %2 : tensor<32x24xf32>
}

// Dimensions that change places among those that become one are another sum.
// CHECK-LABEL: func.func @mixed(
// CHECK:         stablehlo.transpose %arg0, dims = [2, 1, 0]
func.func @mixed(%x: tensor<8x16x32xf32>, %g: tensor<128x24xf32>) -> tensor<32x24xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<8x16x32xf32>) -> tensor<32x16x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<32x16x8xf32>) -> tensor<32x128xf32>
  %2 = stablehlo.dot_general %1, %g, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x24xf32>) -> tensor<32x24xf32>
  return %2 : tensor<32x24xf32>
}

// What is read otherwise, too, is there anyway.
// CHECK-LABEL: func.func @read(
// CHECK:         stablehlo.transpose %arg0, dims = [2, 0, 1]
func.func @read(%x: tensor<8x16x32xf32>, %g: tensor<128x24xf32>) -> (tensor<32x24xf32>, tensor<32x128xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<8x16x32xf32>) -> tensor<32x8x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<32x8x16xf32>) -> tensor<32x128xf32>
  %2 = stablehlo.dot_general %1, %g, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x24xf32>) -> tensor<32x24xf32>
  return %2, %1 : tensor<32x24xf32>, tensor<32x128xf32>
}

// A batch of one side alone is no batch of several; nor one that is cut otherwise.
// CHECK-LABEL: func.func @sides(
// CHECK-COUNT-2: batching_dims = [0] x [0]
func.func @sides(%a: tensor<2x3x5x4xf32>, %b: tensor<6x4x6xf32>, %c: tensor<3x2x4x6xf32>) -> (tensor<6x5x6xf32>, tensor<6x5x6xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32>
  %1 = stablehlo.reshape %c : (tensor<3x2x4x6xf32>) -> tensor<6x4x6xf32>
  %2 = stablehlo.dot_general %0, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x4xf32>, tensor<6x4x6xf32>) -> tensor<6x5x6xf32>
  %3 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x4xf32>, tensor<6x4x6xf32>) -> tensor<6x5x6xf32>
  return %2, %3 : tensor<6x5x6xf32>, tensor<6x5x6xf32>
}
