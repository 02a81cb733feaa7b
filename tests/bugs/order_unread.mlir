// What nobody reads became ready when the block's end had read the rest, ran behind it, and was then taken for the end itself.
// RUN: echo-opt %s --schedule | FileCheck %s
// CHECK: %[[V:.*]] = stablehlo.dot_general
// CHECK: %[[X:.*]] = stablehlo.slice %[[V]]
// CHECK: %[[Y:.*]] = stablehlo.negate %[[X]]
// CHECK: stablehlo.broadcast_in_dim %[[Y]]
// CHECK: return %[[V]]
func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %v = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = stablehlo.slice %v [0:1, 0:64] : (tensor<64x64xf32>) -> tensor<1x64xf32>
  %y = stablehlo.negate %x : tensor<1x64xf32>
  %z = stablehlo.broadcast_in_dim %y, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<512x64xf32>
  return %v : tensor<64x64xf32>
}
