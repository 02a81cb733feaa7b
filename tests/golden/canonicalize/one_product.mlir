// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// A contraction that adds up one product for each element multiplies: the gradient of weights from a batch of one. Not integers, not to a narrower
// type, in which the product would be rounded twice, and not by an algorithm of its own.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<1x6xf32>) -> tensor<6xf32>
// CHECK:         %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [0] : (tensor<6xf32>) -> tensor<6x5xf32>
// CHECK:         %[[D:.*]] = stablehlo.reshape %arg1 : (tensor<1x5xf32>) -> tensor<5xf32>
// CHECK:         %[[COLUMNS:.*]] = stablehlo.broadcast_in_dim %[[D]], dims = [1] : (tensor<5xf32>) -> tensor<6x5xf32>
// CHECK:         %[[PRODUCT:.*]] = stablehlo.multiply %[[ROWS]], %[[COLUMNS]] : tensor<6x5xf32>
// The sum begins with 0, so that a product of -0 comes to 0.
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
// CHECK-NEXT:    stablehlo.add %[[PRODUCT]], %[[ZERO]] : tensor<6x5xf32>
// Batching dimensions stand first, wherever the operand has them; halves are widened before they are multiplied.
// CHECK:         %[[B:.*]] = stablehlo.convert {{.*}} : (tensor<3x4xbf16>) -> tensor<3x4xf32>
// CHECK:         stablehlo.broadcast_in_dim %[[B]], dims = [0, 1] : (tensor<3x4xf32>) -> tensor<3x4x4x2xf32>
// CHECK:         %[[C:.*]] = stablehlo.convert {{.*}} : (tensor<4x3x2xbf16>) -> tensor<4x3x2xf32>
// CHECK:         stablehlo.broadcast_in_dim %[[C]], dims = [2, 0, 3] : (tensor<4x3x2xf32>) -> tensor<3x4x4x2xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<3x4x4x2xf32>
// Nothing is contracted: an outer product.
// CHECK:         stablehlo.multiply {{.*}} : tensor<7xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<7x7xf32>
// What is transposed at once is written where it goes.
// CHECK:         %[[P:.*]] = stablehlo.broadcast_in_dim {{.*}}, dims = [3, 2] : (tensor<3x4xf32>) -> tensor<2x4x4x3xf32>
// CHECK:         %[[Q:.*]] = stablehlo.broadcast_in_dim {{.*}}, dims = [1, 3, 0] : (tensor<4x3x2xf32>) -> tensor<2x4x4x3xf32>
// CHECK-NEXT:    stablehlo.multiply %[[P]], %[[Q]] : tensor<2x4x4x3xf32>
// CHECK-NOT:     stablehlo.transpose
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xbf16>
// CHECK:         stablehlo.dot_general {{.*}} algorithm =
func.func @main(%x: tensor<1x6xf32>, %d: tensor<1x5xf32>, %b: tensor<3x1x4xbf16>, %c: tensor<4x1x3x2xbf16>, %s: tensor<f32>, %v: tensor<7xf32>,
                %i: tensor<1x2xi32>)
    -> (tensor<6x5xf32>, tensor<3x4x4x2xf32>, tensor<7xf32>, tensor<7x7xf32>, tensor<2x2xi32>, tensor<6x5xbf16>, tensor<6x5xf32>, tensor<2x4x4x3xf32>) {
  %0 = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.dot_general %b, %c, batching_dims = [0] x [2], contracting_dims = [1] x [1] : (tensor<3x1x4xbf16>, tensor<4x1x3x2xbf16>) -> tensor<3x4x4x2xf32>
  %2 = stablehlo.dot_general %s, %v, contracting_dims = [] x [] : (tensor<f32>, tensor<7xf32>) -> tensor<7xf32>
  %3 = stablehlo.dot_general %v, %v, contracting_dims = [] x [] : (tensor<7xf32>, tensor<7xf32>) -> tensor<7x7xf32>
  %t = stablehlo.dot_general %b, %c, batching_dims = [0] x [2], contracting_dims = [1] x [1] : (tensor<3x1x4xbf16>, tensor<4x1x3x2xbf16>) -> tensor<3x4x4x2xf32>
  %u = stablehlo.transpose %t, dims = [3, 2, 1, 0] : (tensor<3x4x4x2xf32>) -> tensor<2x4x4x3xf32>
  %4 = stablehlo.dot_general %i, %i, contracting_dims = [0] x [0] : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %5 = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xbf16>
  %6 = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %u : tensor<6x5xf32>, tensor<3x4x4x2xf32>, tensor<7xf32>, tensor<7x7xf32>, tensor<2x2xi32>, tensor<6x5xbf16>, tensor<6x5xf32>, tensor<2x4x4x3xf32>
}
