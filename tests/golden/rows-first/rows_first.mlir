// Of the products of a batch that multiply one value, those that have its rows come before those that have its columns, in their order; but for what reads a later value, and matrices alone.
// RUN: echo-opt %s --rows-first --mlir-pass-statistics 2>&1 | FileCheck %s
// RUN: echo-opt %s --rows-first | echo-opt --rows-first --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=AGAIN
// CHECK: (S) 2 moved
// AGAIN: (S) 0 moved

// CHECK-LABEL: func.func @gradient
// CHECK-NEXT:  dot_general %arg0, %arg1, {{.*}}contracting_dims = [2] x [1]
// CHECK-NEXT:  dot_general %arg1, %arg0, {{.*}}contracting_dims = [1] x [2]
// CHECK-NEXT:  dot_general %arg0, %arg2, {{.*}}contracting_dims = [1] x [1]
func.func @gradient(%arg0: tensor<4x8x8xf32>, %arg1: tensor<4x8x6xf32>, %arg2: tensor<4x8x6xf32>) -> (tensor<4x8x6xf32>, tensor<4x8x6xf32>, tensor<4x6x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg2, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x8x8xf32>, tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x8xf32>, tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %2 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<4x8x6xf32>, tensor<4x8x8xf32>) -> tensor<4x6x8xf32>
  return %0, %1, %2 : tensor<4x8x6xf32>, tensor<4x8x6xf32>, tensor<4x6x8xf32>
}

// CHECK-LABEL: func.func @later
// CHECK-NEXT:  dot_general %arg0, %arg1, {{.*}}contracting_dims = [1] x [1]
// CHECK-NEXT:  dot_general %arg0, %0, {{.*}}contracting_dims = [2] x [1]
func.func @later(%arg0: tensor<4x8x8xf32>, %arg1: tensor<4x8x6xf32>) -> tensor<4x8x6xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x8x8xf32>, tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x8xf32>, tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  return %1 : tensor<4x8x6xf32>
}

// CHECK-LABEL: func.func @matrices
// CHECK-NEXT:  dot_general %arg0, %arg1, {{.*}}contracting_dims = [0] x [0]
// CHECK-NEXT:  dot_general %arg0, %arg1, {{.*}}contracting_dims = [1] x [0]
func.func @matrices(%arg0: tensor<8x8xf32>, %arg1: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
