// A kernel that reshapes to and from a scalar took an address in the list of dimensions that a scalar does not have: undefined,
// which UndefinedBehaviorSanitizer reports.
//
// RUN: echo-run %s --no-cache --quiet --outputs=%t.npz
// RUN: echo-run %s --device=interpreter --quiet --expect=%t.npz --rtol=0 --atol=0
func.func @main(%arg0: tensor<f32>, %arg1: tensor<1x1xf32>) -> (tensor<1xf32>, tensor<f32>) {
  %0 = stablehlo.negate %arg0 : tensor<f32>
  %1 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
  %2 = stablehlo.abs %1 : tensor<1xf32>
  %3 = stablehlo.negate %arg1 : tensor<1x1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x1xf32>) -> tensor<f32>
  %5 = stablehlo.abs %4 : tensor<f32>
  return %2, %5 : tensor<1xf32>, tensor<f32>
}
