// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --canonicalize -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet

// A contraction reads what was transposed, on either side, and a transposed contraction takes its operands the other way round:
// the same products in the same order, and no copy of a weight or a gradient.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: {{.*}}, %[[W:arg1]]: {{.*}}, %[[Q:arg2]]: {{.*}}, %[[K:arg3]]: {{.*}}, %[[H:arg4]]:
func.func @main(%x: tensor<5x3xf32>, %w: tensor<4x3xf32>, %q: tensor<2x6x3x4xf32>, %k: tensor<2x7x3x4xf32>, %h: tensor<2x5x4xf32>)
    -> (tensor<5x4xf32>, tensor<4x5xf32>, tensor<2x3x6x7xf32>, tensor<2x3x7x6xf32>, tensor<5x2x3xf32>) {
  // CHECK: %[[A:.*]] = stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [1] x [1], precision = [HIGH, HIGH]
  %wt = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %0 = stablehlo.dot_general %x, %wt, contracting_dims = [1] x [0], precision = [HIGH, HIGH] : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  // CHECK: %[[B:.*]] = stablehlo.dot_general %[[W]], %[[X]], contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<5x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  // Attention heads stay where they lie, and one sum may be asked for from both sides.
  // CHECK: %[[C:.*]] = stablehlo.dot_general %[[Q]], %[[K]], batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
  // CHECK: %[[D:.*]] = stablehlo.dot_general %[[K]], %[[Q]], batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
  %qt = stablehlo.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x6x3x4xf32>) -> tensor<2x3x6x4xf32>
  %kt = stablehlo.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x7x3x4xf32>) -> tensor<2x3x4x7xf32>
  %3 = stablehlo.dot_general %qt, %kt, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x6x4xf32>, tensor<2x3x4x7xf32>) -> tensor<2x3x6x7xf32>
  %4 = stablehlo.dot_general %qt, %kt, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x6x4xf32>, tensor<2x3x4x7xf32>) -> tensor<2x3x6x7xf32>
  %5 = stablehlo.transpose %4, dims = [0, 1, 3, 2] : (tensor<2x3x6x7xf32>) -> tensor<2x3x7x6xf32>
  // The rows of the result come in another order than they lie in: the transpose stays.
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[H]], dims = [1, 0, 2]
  // CHECK: %[[E:.*]] = stablehlo.dot_general %[[T]], %{{.*}}, contracting_dims = [2] x [0]
  %ht = stablehlo.transpose %h, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
  %wt2 = stablehlo.slice %w [0:4, 0:3] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %6 = stablehlo.dot_general %ht, %wt2, contracting_dims = [2] x [0] : (tensor<5x2x4xf32>, tensor<4x3xf32>) -> tensor<5x2x3xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  return %0, %2, %3, %5, %6 : tensor<5x4xf32>, tensor<4x5xf32>, tensor<2x3x6x7xf32>, tensor<2x3x7x6xf32>, tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func private @stay
func.func private @stay(%x: tensor<2x3x4xf32>, %y: tensor<4x3x2xf32>, %z: tensor<2x4x3xf32>, %w: tensor<4x6xf32>)
    -> (tensor<4x4xf32>, tensor<2x3x6xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  // Two dimensions are added up in another order than they lie in.
  // CHECK: stablehlo.transpose %arg0
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [0, 1] x [1, 2] : (tensor<3x2x4xf32>, tensor<4x3x2xf32>) -> tensor<4x4xf32>
  // What is contracted would stand between the rows: no matrix.
  // CHECK: stablehlo.transpose %arg2
  // CHECK: stablehlo.dot_general
  %2 = stablehlo.transpose %z, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x6xf32>) -> tensor<2x3x6xf32>
  // Somebody else reads the contraction as it is.
  // CHECK: stablehlo.dot_general
  // CHECK: stablehlo.transpose
  %a = stablehlo.slice %x [0:1, 0:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %b = stablehlo.reshape %a : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
  %c = stablehlo.slice %w [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  // Somebody else reads the transpose: it is there, and two values would be kept.
  // CHECK: %[[T:.*]] = stablehlo.transpose %arg3
  // CHECK: stablehlo.dot_general %[[T]]
  %6 = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %7 = stablehlo.dot_general %6, %c, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  return %1, %3, %4, %5, %6, %7 : tensor<4x4xf32>, tensor<2x3x6xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
