// How JAX asks for a layout within a program (jax.experimental.layout.with_layout_constraint): the value is what it was.
// RUN: echo-run --no-cache %s | FileCheck %s
// CHECK: [2, 4]
func.func public @main() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @LayoutConstraint(%x) {backend_config = "", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}
