// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: sed 's/^module {/module attributes {echo.stage = "step"} {/' %s > %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --rtol=0 --atol=0 --quiet

// A gradient of weights as an exporter writes it, a convolution of transposed and dilated arrays, reads the arrays themselves.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: {{.*}}, %[[G:arg1]]: {{.*}}, %[[W:arg2]]: {{.*}}, %[[V:arg3]]:
module {
func.func @main(%x: tensor<2x3x8x8xi32>, %g: tensor<2x4x4x4xi32>, %w: tensor<4x3x3x3xi32>, %v: tensor<2x1x1xi32>)
    -> (tensor<4x3x3x3xi32>, tensor<2x4x10x4xi32>, tensor<1x2x5xi32>, tensor<2x3x10x8xi32>, tensor<2x4x7x7xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: %[[A:.*]] = stablehlo.convolution(%[[X]], %[[G]]) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = {{\[\[}}1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2]}
  %p = stablehlo.pad %g, %zero, low = [0, 0, 0, 0], high = [0, 0, 1, 1], interior = [0, 0, 1, 1] : (tensor<2x4x4x4xi32>, tensor<i32>) -> tensor<2x4x8x8xi32>
  %xt = stablehlo.transpose %x, dims = [1, 0, 2, 3] : (tensor<2x3x8x8xi32>) -> tensor<3x2x8x8xi32>
  %pt = stablehlo.transpose %p, dims = [1, 0, 2, 3] : (tensor<2x4x8x8xi32>) -> tensor<4x2x8x8xi32>
  %c = stablehlo.convolution(%xt, %pt) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x2x8x8xi32>, tensor<4x2x8x8xi32>) -> tensor<3x4x3x3xi32>
  %0 = stablehlo.transpose %c, dims = [1, 0, 2, 3] : (tensor<3x4x3x3xi32>) -> tensor<4x3x3x3xi32>
  // What is around a dilated operand is as far away as its elements are from each other.
  // CHECK: %[[B:.*]] = stablehlo.convolution(%[[X]], %[[W]]) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = {{\[\[}}5, 2], [0, -2]], lhs_dilate = [2, 1]}
  %q = stablehlo.pad %x, %zero, low = [0, 0, 2, 0], high = [0, 0, 1, 2], interior = [0, 0, 0, 0] : (tensor<2x3x8x8xi32>, tensor<i32>) -> tensor<2x3x11x10xi32>
  %1 = stablehlo.convolution(%q, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 0], [0, -4]], lhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x11x10xi32>, tensor<4x3x3x3xi32>) -> tensor<2x4x10x4xi32>
  // The zeros at the ends of a kernel that is turned round change ends.
  // CHECK: stablehlo.convolution(%[[V]], %{{.*}}) dim_numbers = [b, f, 0]x[o, i, 0]->[f, b, 0]
  %k = stablehlo.slice %x [0:1, 0:1, 0:1, 0:2] : (tensor<2x3x8x8xi32>) -> tensor<1x1x1x2xi32>
  %k1 = stablehlo.reshape %k : (tensor<1x1x1x2xi32>) -> tensor<1x1x2xi32>
  %k2 = stablehlo.pad %k1, %zero, low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x1x2xi32>, tensor<i32>) -> tensor<1x1x3xi32>
  %d = stablehlo.convolution(%v, %k2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[3, 3]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x1xi32>, tensor<1x1x3xi32>) -> tensor<2x1x5xi32>
  %2 = stablehlo.transpose %d, dims = [1, 0, 2] : (tensor<2x1x5xi32>) -> tensor<1x2x5xi32>
  // Other numbers than zeros stay, and so does what others read.
  // CHECK: %[[O:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [0, 0, 1, 0]
  // CHECK: stablehlo.slice %[[O]]
  // CHECK: stablehlo.convolution(%{{.*}}, %[[W]]) {{.*}} window = {pad = {{\[\[}}0, 0], [0, 1]], lhs_dilate = [1, 1]}
  %3 = stablehlo.pad %x, %one, low = [0, 0, 1, 0], high = [0, 0, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x3x8x8xi32>, tensor<i32>) -> tensor<2x3x10x8xi32>
  %e = stablehlo.slice %3 [0:2, 0:3, 0:9, 0:8] : (tensor<2x3x10x8xi32>) -> tensor<2x3x9x8xi32>
  %e1 = stablehlo.pad %e, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x3x9x8xi32>, tensor<i32>) -> tensor<2x3x9x9xi32>
  %4 = stablehlo.convolution(%e1, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9x9xi32>, tensor<4x3x3x3xi32>) -> tensor<2x4x7x7xi32>
  func.return %0, %1, %2, %3, %4 : tensor<4x3x3x3xi32>, tensor<2x4x10x4xi32>, tensor<1x2x5xi32>, tensor<2x3x10x8xi32>, tensor<2x4x7x7xi32>
}
}
