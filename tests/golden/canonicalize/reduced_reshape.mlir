// RUN: echo-opt --canonicalize %s | FileCheck %s
// RUN: echo-opt --canonicalize %s | echo-opt --canonicalize | FileCheck %s

// What is reduced is what was reshaped, in whose dimensions something was broadcast.
// CHECK-LABEL: @merged
// CHECK:       %[[P:.*]] = stablehlo.multiply
// CHECK:       stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4xf32>
func.func @merged(%x: tensor<4x8xf32>, %y: tensor<4x16xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<4x16xf32>) -> tensor<4x8x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x8x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x8x16xf32>) -> tensor<4x128xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x128xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Whichever of the two has more dimensions; kept ones are as they were.
// CHECK-LABEL: @split
// CHECK:       %[[E:.*]] = stablehlo.exponential
// CHECK:       stablehlo.reduce(%[[E]] init: %{{.*}}) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<12x5x2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
func.func @split(%x: tensor<12x5x2x3xf32>, %low: tensor<f32>) -> tensor<5x3xf32> {
  %0 = stablehlo.exponential %x : tensor<12x5x2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<12x5x2x3xf32>) -> tensor<3x4x5x2x3xf32>
  %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [0, 1, 3] : (tensor<3x4x5x2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}

// Not where a dimension is of what is reduced and of what is kept.
// CHECK-LABEL: @mixed
// CHECK:       stablehlo.reshape {{.*}} -> tensor<8x6xf32>
// CHECK:       stablehlo.reduce({{.*}} dimensions = [1] : (tensor<8x6xf32>
func.func @mixed(%x: tensor<4x12xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<4x12xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x12xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
