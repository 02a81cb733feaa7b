// RUN: echo-opt %s --canonicalize | FileCheck %s
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet && echo-run %s --seed=1 --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet

// A select whose predicate is one number that was reshaped, and whose other operands may be had in any shape, took the
// predicate's shape for theirs: two elements became one, and the program was refused (diffrax, second derivatives).

// CHECK-LABEL: func.func @main(
func.func @main(%p: tensor<1xi1>, %x: tensor<2x1x1xf32>, %low: tensor<1x1xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>) {
  // CHECK: %[[P:.*]] = stablehlo.reshape %arg0 : (tensor<1xi1>) -> tensor<i1>
  // CHECK: stablehlo.select %[[P]], %{{.*}}, %{{.*}} : tensor<i1>, tensor<2x1xf32>
  // CHECK: stablehlo.clamp %{{.*}} : (tensor<f32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  // CHECK: return
  %flag = stablehlo.reshape %p : (tensor<1xi1>) -> tensor<i1>
  %y = stablehlo.reshape %x : (tensor<2x1x1xf32>) -> tensor<2x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x1xf32>
  %selected = stablehlo.select %flag, %y, %zero : tensor<i1>, tensor<2x1xf32>
  %bound = stablehlo.reshape %low : (tensor<1x1xf32>) -> tensor<f32>
  %clamped = stablehlo.clamp %bound, %y, %bound : (tensor<f32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  return %selected, %clamped : tensor<2x1xf32>, tensor<2x1xf32>
}
