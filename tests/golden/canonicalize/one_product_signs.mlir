// RUN: echo-opt %s --canonicalize | FileCheck %s

// A sum of one product adds to 0. What is only squared, scaled and added up from 0 has no use for that: -0 is as good.
// CHECK-LABEL: func.func @summed(
// CHECK:         %[[P:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<6x5xf32>
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.multiply %[[P]], %[[P]] : tensor<6x5xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.multiply %[[P]], %arg2 : tensor<6x5xf32>
// CHECK-NEXT:    stablehlo.reduce(%[[S]]
func.func @summed(%x: tensor<1x6xf32>, %d: tensor<1x5xf32>, %c: tensor<6x5xf32>) -> (tensor<6x5xf32>, tensor<5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  %q = stablehlo.multiply %p, %p : tensor<6x5xf32>
  %s = stablehlo.multiply %p, %c : tensor<6x5xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %q, %r : tensor<6x5xf32>, tensor<5xf32>
}

// From -0 on it counts, and so it does where another op reads it.
// CHECK-LABEL: func.func @from_minus_zero(
// CHECK:         %[[P:.*]] = stablehlo.multiply
// CHECK:         stablehlo.add %[[P]], %
func.func @from_minus_zero(%x: tensor<1x6xf32>, %d: tensor<1x5xf32>) -> tensor<5xf32> {
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %p = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  %r = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func.func @negated(
// CHECK:         %[[P:.*]] = stablehlo.multiply
// CHECK:         %[[A:.*]] = stablehlo.add %[[P]], %
// CHECK:         stablehlo.negate %[[A]]
func.func @negated(%x: tensor<1x6xf32>, %d: tensor<1x5xf32>) -> tensor<6x5xf32> {
  %p = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<1x6xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  %n = stablehlo.negate %p : tensor<6x5xf32>
  return %n : tensor<6x5xf32>
}
