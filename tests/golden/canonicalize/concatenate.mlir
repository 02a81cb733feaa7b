// RUN: echo-opt %s --canonicalize | FileCheck %s

// Empty operands of a concatenation go.
// CHECK-LABEL: func.func private @empty
// CHECK-NEXT:    %[[C:.*]] = stablehlo.concatenate %arg0, %arg0, dim = 0
// CHECK-NEXT:    return %[[C]], %arg0, %arg1
func.func private @empty(%x: tensor<2x3xf32>, %none: tensor<0x3xf32>) -> (tensor<4x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>) {
  %0 = stablehlo.concatenate %x, %none, %x, dim = 0 : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.concatenate %none, %x, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.concatenate %none, %none, dim = 0 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  return %0, %1, %2 : tensor<4x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>
}

// A tree of concatenations along one dimension is one; what others read as well, or another dimension, stays.
// CHECK-LABEL: func.func private @tree
// CHECK-NEXT:    %[[C:.*]] = stablehlo.concatenate %arg0, %arg1, %arg2, %arg1, dim = 0
// CHECK-NEXT:    %[[D:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 0
// CHECK-NEXT:    %[[E:.*]] = stablehlo.concatenate %[[D]], %arg2, dim = 0
// CHECK-NEXT:    %[[F:.*]] = stablehlo.concatenate %arg0, %arg0, dim = 1
// CHECK-NEXT:    %[[F2:.*]] = stablehlo.concatenate %arg0, %arg0, dim = 1
// CHECK-NEXT:    %[[G:.*]] = stablehlo.concatenate %[[F]], %[[F2]], dim = 0
// CHECK-NEXT:    return %[[C]], %[[D]], %[[E]], %[[G]]
func.func private @tree(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %z: tensor<3x3xf32>) -> (tensor<7x3xf32>, tensor<3x3xf32>, tensor<6x3xf32>, tensor<4x6xf32>) {
  %a = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %b = stablehlo.concatenate %a, %z, dim = 0 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<6x3xf32>
  %c = stablehlo.concatenate %b, %y, dim = 0 : (tensor<6x3xf32>, tensor<1x3xf32>) -> tensor<7x3xf32>
  %d = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %e = stablehlo.concatenate %d, %z, dim = 0 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<6x3xf32>
  %f = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %f2 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %g = stablehlo.concatenate %f, %f2, dim = 0 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %c, %d, %e, %g : tensor<7x3xf32>, tensor<3x3xf32>, tensor<6x3xf32>, tensor<4x6xf32>
}
