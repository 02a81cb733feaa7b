// RUN: echo-opt %s --lower-custom-calls | FileCheck %s

// jax.lax.dce_sink only keeps a value from being dropped before a compiler looks at it.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     custom_call
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %x, %x : tensor<f32>
  stablehlo.custom_call @dce_sink(%y) {has_side_effect = true} : (tensor<f32>) -> ()
  return %x : tensor<f32>
}
