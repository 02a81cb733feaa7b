// A kernel whose results have no elements has no code, and is not launched: a row of none behind a row, as gradients of odd slices have it, and a
// result of none.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/reference.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/reference.npz --rtol=1e-6 --json=%t/cuda.json
// RUN: echo-run %s --device=cpu --quiet --expect=%t/reference.npz --rtol=1e-6
// RUN: echo-translate %s --emit=launches --target=sm_80 | FileCheck %s --check-prefix=LAUNCHES
// LAUNCHES-COUNT-1: "step": "launch"
// LAUNCHES-NOT: "step": "launch"

func.func @main(%a: tensor<1x8xf32>, %b: tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<0x8xf32>) {
  %0 = stablehlo.slice %a [1:1, 0:8] : (tensor<1x8xf32>) -> tensor<0x8xf32>
  %e = stablehlo.exponential %0 : tensor<0x8xf32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %p = stablehlo.pad %e, %c, low = [1, 0], high = [2, 0], interior = [1, 0] : (tensor<0x8xf32>, tensor<f32>) -> tensor<3x8xf32>
  %r = stablehlo.add %p, %b : tensor<3x8xf32>
  return %r, %e : tensor<3x8xf32>, tensor<0x8xf32>
}
