// What is only kept and moved stays a byte; what is computed with is converted there. Bytes of arguments and results stay.
// RUN: echo-opt %s --widen-elements | FileCheck %s

// CHECK-LABEL: func.func @moved(%arg0: tensor<2x3xui8>) -> tensor<3x2xui8> {
// CHECK-NEXT:    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
// CHECK-NEXT:    return %0 : tensor<3x2xui8>
func.func @moved(%a: tensor<2x3xf8E5M2>) -> tensor<3x2xf8E5M2> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf8E5M2>) -> tensor<3x2xf8E5M2>
  return %0 : tensor<3x2xf8E5M2>
}

// CHECK-LABEL: func.func @added(%arg0: tensor<4xui8>) -> tensor<4xui8> {
// CHECK:         %[[A:.*]] = stablehlo.shift_right_arithmetic %{{.*}} : tensor<4xi8>
// CHECK:         %[[B:.*]] = stablehlo.shift_right_arithmetic %{{.*}} : tensor<4xi8>
// CHECK:         %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<4xi8>
// CHECK:         stablehlo.and %{{.*}} : tensor<4xui8>
// CHECK-NEXT:    return
func.func @added(%a: tensor<4xi4>) -> tensor<4xi4> {
  %0 = stablehlo.add %a, %a : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// A reduction's body stays what it is, on wider numbers.
// CHECK-LABEL: func.func @summed(
// CHECK:         stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
func.func @summed(%a: tensor<4xf8E5M2>, %z: tensor<f8E5M2>) -> tensor<f8E5M2> {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
  return %0 : tensor<f8E5M2>
}
