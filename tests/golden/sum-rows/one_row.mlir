// RUN: echo-opt %s --sum-rows --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --expect=%t.npz --quiet

// Rows times one row, a layer with one result, are a reduction: their sums go in vectors. Wherever the row stands, whichever dimensions are contracted, with
// a batch; and the product of two vectors.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[W:.*]] = stablehlo.reshape %arg1 : (tensor<64x1xf32>) -> tensor<64xf32>
// CHECK:         %[[ROW:.*]] = stablehlo.broadcast_in_dim %[[W]], dims = [1] : (tensor<64xf32>) -> tensor<5x64xf32>
// CHECK:         %[[PRODUCTS:.*]] = stablehlo.multiply %arg0, %[[ROW]] : tensor<5x64xf32>
// CHECK:         %[[SUMS:.*]] = stablehlo.reduce(%[[PRODUCTS]] init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<5x64xf32>, tensor<f32>) -> tensor<5xf32>
// CHECK:         stablehlo.reshape %[[SUMS]] : (tensor<5xf32>) -> tensor<5x1xf32>
// CHECK:         %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 4, 3] : (tensor<2x8x4xf64>) -> tensor<2x3x5x4x8xf64>
// CHECK:         %[[P:.*]] = stablehlo.multiply %arg3, %[[SPREAD]] : tensor<2x3x5x4x8xf64>
// CHECK:         stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [3, 4] : (tensor<2x3x5x4x8xf64>, tensor<f64>) -> tensor<2x3x5xf64>
// CHECK:         stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
// Columns are read in vectors as it is; a few products are done before a tree of partial sums would be; a product of halves is not rounded; and an algorithm
// is one.
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<64x5xf32>, tensor<64x1xf32>) -> tensor<5x1xf32>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<5x31xf32>, tensor<31xf32>) -> tensor<5xf32>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<5x64xbf16>, tensor<64xbf16>) -> tensor<5xf32>
// CHECK:         stablehlo.dot_general {{.*}} algorithm =
func.func @main(%x: tensor<5x64xf32>, %w: tensor<64x1xf32>, %row: tensor<2x8x1x4xf64>, %rows: tensor<2x3x5x4x8xf64>, %v: tensor<100xf32>, %y: tensor<64x5xf32>,
                %few: tensor<5x31xf32>, %z: tensor<31xf32>, %h: tensor<5x64xbf16>, %g: tensor<64xbf16>)
    -> (tensor<5x1xf32>, tensor<2x1x3x5xf64>, tensor<f32>, tensor<5x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5x1xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<5x64xf32>, tensor<64x1xf32>) -> tensor<5x1xf32>
  %1 = stablehlo.dot_general %row, %rows, batching_dims = [0] x [0], contracting_dims = [3, 1] x [3, 4] : (tensor<2x8x1x4xf64>, tensor<2x3x5x4x8xf64>) -> tensor<2x1x3x5xf64>
  %2 = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<100xf32>, tensor<100xf32>) -> tensor<f32>
  %3 = stablehlo.dot_general %y, %w, contracting_dims = [0] x [0] : (tensor<64x5xf32>, tensor<64x1xf32>) -> tensor<5x1xf32>
  %4 = stablehlo.dot_general %few, %z, contracting_dims = [1] x [0] : (tensor<5x31xf32>, tensor<31xf32>) -> tensor<5xf32>
  %5 = stablehlo.dot_general %h, %g, contracting_dims = [1] x [0] : (tensor<5x64xbf16>, tensor<64xbf16>) -> tensor<5xf32>
  %6 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<5x64xf32>, tensor<64x1xf32>) -> tensor<5x1xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5x1xf32>, tensor<2x1x3x5xf64>, tensor<f32>, tensor<5x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5x1xf32>
}
