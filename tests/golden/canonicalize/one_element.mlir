// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --expect=%t.npz --rtol=0 --atol=0 --quiet

// A reduction of one element for each result is its operation, from the value that it starts from: what an update is made of goes in vectors.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[INIT:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
// CHECK:         %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<1x6x1x5xf32>) -> tensor<6x5xf32>
// CHECK:         stablehlo.add %[[INIT]], %[[X]] : tensor<6x5xf32>
// CHECK:         stablehlo.maximum {{.*}} : tensor<i32>
// Two elements are reduced, and two values at once.
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK:         stablehlo.reduce({{.*}}) across dimensions = [0] : (tensor<1x3xf32>, tensor<1x3xi32>, tensor<f32>, tensor<i32>)
func.func @main(%x: tensor<1x6x1x5xf32>, %s: tensor<f32>, %i: tensor<1x1xi32>, %y: tensor<2x3xf32>, %z: tensor<1x3xf32>, %n: tensor<1x3xi32>)
    -> (tensor<6x5xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>) {
  %least = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x6x1x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  %1 = stablehlo.reduce(%i init: %least) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x1xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%y init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %3:2 = stablehlo.reduce(%z init: %s), (%n init: %least) across dimensions = [0] : (tensor<1x3xf32>, tensor<1x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
    %e = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %d, %e : tensor<f32>, tensor<i32>
  }
  return %0, %1, %2, %3#0, %3#1 : tensor<6x5xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>
}
