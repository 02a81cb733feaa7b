// A stack along an inner dimension of parts with one place in it, on a GPU: the place, a constant less than the stack's, was left out as 0 and the constant was not, so that every part but the first was read that many rows too early.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=0 --atol=0
func.func @main(%a: tensor<4x1x256xf32>, %b: tensor<4x1x256xf32>, %c: tensor<4x1x256xf32>, %d: tensor<5x4x1x64xf32>, %e: tensor<5x4x2x64xf32>) -> (tensor<4x3x256xf32>, tensor<5x4x4x64xf32>) {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<4x1x256xf32>, tensor<4x1x256xf32>, tensor<4x1x256xf32>) -> tensor<4x3x256xf32>
  %1 = stablehlo.concatenate %d, %e, %d, dim = 2 : (tensor<5x4x1x64xf32>, tensor<5x4x2x64xf32>, tensor<5x4x1x64xf32>) -> tensor<5x4x4x64xf32>
  return %0, %1 : tensor<4x3x256xf32>, tensor<5x4x4x64xf32>
}
