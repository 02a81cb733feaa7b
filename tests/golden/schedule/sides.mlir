// RUN: echo-opt %s --schedule=order=flow | FileCheck %s

// Four layers, each with a skip connection of its own: the gradient of their sum is there for all of them at once. The gradient of a skip
// connection's weights frees nothing before its layer's turn, for the layer's own gradient reads the same: it waits for that.
// CHECK:         %[[H1:.*]] = stablehlo.tanh
// CHECK:         %[[H2:.*]] = stablehlo.tanh
// CHECK:         %[[H3:.*]] = stablehlo.tanh
// CHECK:         %[[H4:.*]] = stablehlo.tanh
// CHECK:         %[[D:.*]] = stablehlo.sign
// CHECK-NOT:     stablehlo.dot_general %[[H3]], %[[D]]
// CHECK:         stablehlo.dot_general %[[H4]], %[[D]], contracting_dims = [0] x [0]
// CHECK-NOT:     stablehlo.dot_general %[[H3]], %[[D]]
// CHECK:         %[[G:.*]] = stablehlo.add
// CHECK-NEXT:    stablehlo.dot_general %[[H3]], %[[D]], contracting_dims = [0] x [0]
// CHECK-NEXT:    stablehlo.multiply %[[H3]], %[[G]]
func.func @main(%x: tensor<64x8xf32>, %w1: tensor<8x8xf32>, %s1: tensor<8x4xf32>, %w2: tensor<8x8xf32>, %s2: tensor<8x4xf32>, %w3: tensor<8x8xf32>, %s3: tensor<8x4xf32>, %w4: tensor<8x8xf32>, %s4: tensor<8x4xf32>)
    -> (tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>) {
  %a1 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %h1 = stablehlo.tanh %a1 : tensor<64x8xf32>
  %k1 = stablehlo.dot_general %h1, %s1, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %a2 = stablehlo.dot_general %h1, %w2, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %h2 = stablehlo.tanh %a2 : tensor<64x8xf32>
  %k2 = stablehlo.dot_general %h2, %s2, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %sum2 = stablehlo.add %k1, %k2 : tensor<64x4xf32>
  %a3 = stablehlo.dot_general %h2, %w3, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %h3 = stablehlo.tanh %a3 : tensor<64x8xf32>
  %k3 = stablehlo.dot_general %h3, %s3, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %sum3 = stablehlo.add %sum2, %k3 : tensor<64x4xf32>
  %a4 = stablehlo.dot_general %h3, %w4, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %h4 = stablehlo.tanh %a4 : tensor<64x8xf32>
  %k4 = stablehlo.dot_general %h4, %s4, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %sum4 = stablehlo.add %sum3, %k4 : tensor<64x4xf32>
  %dk = stablehlo.sign %sum4 : tensor<64x4xf32>
  %ds4 = stablehlo.dot_general %h4, %dk, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %dh4 = stablehlo.dot_general %dk, %s4, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<8x4xf32>) -> tensor<64x8xf32>
  %q4 = stablehlo.multiply %h4, %dh4 : tensor<64x8xf32>
  %dw4 = stablehlo.dot_general %h3, %q4, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %up4 = stablehlo.dot_general %q4, %w4, contracting_dims = [1] x [1] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %ds3 = stablehlo.dot_general %h3, %dk, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %dh3 = stablehlo.dot_general %dk, %s3, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<8x4xf32>) -> tensor<64x8xf32>
  %g3 = stablehlo.add %dh3, %up4 : tensor<64x8xf32>
  %q3 = stablehlo.multiply %h3, %g3 : tensor<64x8xf32>
  %dw3 = stablehlo.dot_general %h2, %q3, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %up3 = stablehlo.dot_general %q3, %w3, contracting_dims = [1] x [1] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %ds2 = stablehlo.dot_general %h2, %dk, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %dh2 = stablehlo.dot_general %dk, %s2, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<8x4xf32>) -> tensor<64x8xf32>
  %g2 = stablehlo.add %dh2, %up3 : tensor<64x8xf32>
  %q2 = stablehlo.multiply %h2, %g2 : tensor<64x8xf32>
  %dw2 = stablehlo.dot_general %h1, %q2, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %up2 = stablehlo.dot_general %q2, %w2, contracting_dims = [1] x [1] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %ds1 = stablehlo.dot_general %h1, %dk, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %dh1 = stablehlo.dot_general %dk, %s1, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<8x4xf32>) -> tensor<64x8xf32>
  %g1 = stablehlo.add %dh1, %up2 : tensor<64x8xf32>
  %q1 = stablehlo.multiply %h1, %g1 : tensor<64x8xf32>
  %dw1 = stablehlo.dot_general %x, %q1, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %dw1, %ds1, %dw2, %ds2, %dw3, %ds3, %dw4, %ds4
      : tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>
}
