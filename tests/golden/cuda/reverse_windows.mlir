// A window that is turned round in front of a convolution is read from its end, also where it already was: then from its front. What else reads it keeps it; what is turned in its features stays.
// RUN: echo-opt %s --pass-pipeline='builtin.module(reverse-windows)' | FileCheck %s
// RUN: echo-opt %s --pass-pipeline='builtin.module(reverse-windows)' -o %t.once.mlir && echo-opt %t.once.mlir --pass-pipeline='builtin.module(reverse-windows)' | diff - %t.once.mlir
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t.npz
// RUN: echo-run %t.once.mlir --device=interpreter --quiet --expect=%t.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --cudnn --no-cache --quiet --expect=%t.npz

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7x6x4xf32>, %[[W:.*]]: tensor<3x2x4x4xf32>
// CHECK-NEXT:    %[[BOTH:.*]] = stablehlo.reverse %[[W]], dims = [0, 1]
// CHECK-NEXT:    stablehlo.convolution(%[[X]], %[[W]]) {{.*}} reverse = [true, true]}
// CHECK-NEXT:    stablehlo.convolution(%[[X]], %[[W]]) {{.*}} reverse = [false, true]}
// CHECK-NEXT:    %[[FEATURES:.*]] = stablehlo.reverse %[[W]], dims = [0, 2]
// CHECK-NEXT:    stablehlo.convolution(%[[X]], %[[FEATURES]]) {{.*}} window = {stride = [1, 1]}
// CHECK-NEXT:    return {{.*}}, %[[BOTH]]

func.func @main(%x: tensor<2x7x6x4xf32>, %w: tensor<3x2x4x4xf32>) -> (tensor<2x5x5x4xf32>, tensor<2x5x5x4xf32>, tensor<2x5x5x4xf32>, tensor<3x2x4x4xf32>) {
  %both = stablehlo.reverse %w, dims = [0, 1] : tensor<3x2x4x4xf32>
  %0 = stablehlo.convolution(%x, %both) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x6x4xf32>, tensor<3x2x4x4xf32>) -> tensor<2x5x5x4xf32>
  %rows = stablehlo.reverse %w, dims = [0] : tensor<3x2x4x4xf32>
  %1 = stablehlo.convolution(%x, %rows) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x6x4xf32>, tensor<3x2x4x4xf32>) -> tensor<2x5x5x4xf32>
  %features = stablehlo.reverse %w, dims = [0, 2] : tensor<3x2x4x4xf32>
  %2 = stablehlo.convolution(%x, %features) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x6x4xf32>, tensor<3x2x4x4xf32>) -> tensor<2x5x5x4xf32>
  return %0, %1, %2, %both : tensor<2x5x5x4xf32>, tensor<2x5x5x4xf32>, tensor<2x5x5x4xf32>, tensor<3x2x4x4xf32>
}
