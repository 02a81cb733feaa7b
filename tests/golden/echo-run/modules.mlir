// A module without a name beside the function that is run is another program: it is not compiled.
// RUN: echo-run %s --entry=run --no-cache --quiet --outputs=%t.npz
// RUN: echo-run %s --entry=run --device=interpreter --expect=%t.npz --quiet
// RUN: not echo-run %s --quiet 2>&1 | FileCheck %s
// CHECK: error: 'builtin.module' op has no function 'main'

func.func @run(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @walk(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
module {
  func.func @main(%a: tensor<15x3xf32>) -> tensor<15x1xf32> {
    %0 = stablehlo.slice %a [0:15, 0:1] : (tensor<15x3xf32>) -> tensor<15x1xf32>
    return %0 : tensor<15x1xf32>
  }
}
