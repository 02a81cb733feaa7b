// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// A sum of no products is zero: what packages write that allow an input of no features.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     dot_general
// CHECK-NOT:     convolution
// CHECK:         return
func.func @main(%a: tensor<2x0xf32>, %b: tensor<0xf32>, %c: tensor<2x0x3xbf16>, %d: tensor<2x0x4xbf16>, %e: tensor<3x0xi32>, %f: tensor<0x3xi32>,
                %x: tensor<1x4x4x0xf32>, %k: tensor<3x3x0x5xf32>, %y: tensor<0x3xf32>)
    -> (tensor<2xf32>, tensor<2x3x4xbf16>, tensor<3x3xi32>, tensor<1x4x4x5xf32>, tensor<3xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0xf32>) -> tensor<2xf32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x0x3xbf16>, tensor<2x0x4xbf16>) -> tensor<2x3x4xbf16>
  %2 = stablehlo.dot_general %e, %f, contracting_dims = [1] x [0] : (tensor<3x0xi32>, tensor<0x3xi32>) -> tensor<3x3xi32>
  %3 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x0xf32>, tensor<3x3x0x5xf32>) -> tensor<1x4x4x5xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %4 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2x3x4xbf16>, tensor<3x3xi32>, tensor<1x4x4x5xf32>, tensor<3xf32>
}
