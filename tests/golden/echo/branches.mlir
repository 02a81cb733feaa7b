// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet

// A step in one of two branches is planned like a step of its own, too.
// CHECK-LABEL: func.func @main
// CHECK:         "stablehlo.case"
// CHECK:           stablehlo.tanh
// CHECK:           stablehlo.tanh
// CHECK:           stablehlo.optimization_barrier
// CHECK:           stablehlo.tanh %{{.*}} {echo.phase = "backward", echo.recompute}
func.func @main(%p: tensor<i32>, %k: tensor<64x64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0:2 = "stablehlo.case"(%p) ({
    stablehlo.return %w0, %w1 : tensor<64x64xf32>, tensor<64x64xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %ones = stablehlo.constant dense<1.0> : tensor<64x64x64xf32>
    %q0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b0 = stablehlo.broadcast_in_dim %q0, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
    %a0 = stablehlo.add %k, %b0 : tensor<64x64x64xf32>
    %t0 = stablehlo.tanh %a0 : tensor<64x64x64xf32>
    %s0 = stablehlo.reduce(%t0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %q1 = stablehlo.dot_general %s0, %w1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b1 = stablehlo.broadcast_in_dim %q1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
    %a1 = stablehlo.add %k, %b1 : tensor<64x64x64xf32>
    %t1 = stablehlo.tanh %a1 : tensor<64x64x64xf32>
    %m1 = stablehlo.multiply %t1, %t1 : tensor<64x64x64xf32>
    %d1 = stablehlo.subtract %ones, %m1 : tensor<64x64x64xf32>
    %g1 = stablehlo.reduce(%d1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %dw1 = stablehlo.dot_general %s0, %g1, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %ds0 = stablehlo.dot_general %g1, %w1, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %e0 = stablehlo.broadcast_in_dim %ds0, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
    %m0 = stablehlo.multiply %t0, %t0 : tensor<64x64x64xf32>
    %n0 = stablehlo.subtract %ones, %m0 : tensor<64x64x64xf32>
    %d0 = stablehlo.multiply %e0, %n0 : tensor<64x64x64xf32>
    %g0 = stablehlo.reduce(%d0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %dw0 = stablehlo.dot_general %x, %g0, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %dw0, %dw1 : tensor<64x64xf32>, tensor<64x64xf32>
  }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
  return %0#0, %0#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
