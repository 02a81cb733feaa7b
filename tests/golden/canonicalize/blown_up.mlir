// RUN: echo-opt %s --canonicalize --split-input-file | FileCheck %s

// What a kernel makes of a few numbers is not written out: only what is no larger than what it is made of, or small, or one number.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:    %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT:    %[[COLUMNS:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    %[[TURNED:.*]] = stablehlo.transpose %[[COLUMNS]], dims = [1, 0]
// CHECK-NEXT:    %[[DIFFERENCE:.*]] = stablehlo.subtract %[[ROWS]], %[[TURNED]]
// CHECK-NEXT:    return %[[DIFFERENCE]]
func.func @rows() -> tensor<8x3xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %rows = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
  %columns = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
  %turned = stablehlo.transpose %columns, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %difference = stablehlo.subtract %rows, %turned : tensor<8x3xf32>
  return %difference : tensor<8x3xf32>
}

// -----

// CHECK-LABEL: func.func @small
// CHECK-DAG:     stablehlo.constant dense<2.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:     stablehlo.constant dense<{{\[}}[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>
// CHECK-DAG:     stablehlo.constant dense<{{.*}}> : tensor<24xi32>
// CHECK-NOT:     stablehlo.broadcast_in_dim
// CHECK-NOT:     stablehlo.add
// CHECK:         return
func.func @small() -> (tensor<64x64xf32>, tensor<3x2xi32>, tensor<24xi32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %twos = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %pairs = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
  %sums = stablehlo.add %d, %d : tensor<24xi32>
  return %twos, %pairs, %sums : tensor<64x64xf32>, tensor<3x2xi32>, tensor<24xi32>
}
