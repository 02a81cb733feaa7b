// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --seed=1 --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --seed=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.planned.mlir
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet

// A step that is repeated until a number is small, as a descent to convergence is: nobody knows how often. Its body is planned like a
// step: the first layer's tanh runs again for the gradient, behind the second's, and the weights are updated where they stand.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:         do {
// CHECK:           stablehlo.tanh {{.*}}: tensor<32x64x64xf32>
// CHECK:           stablehlo.tanh {{.*}}: tensor<32x64x64xf32>
// CHECK:           stablehlo.optimization_barrier
// CHECK:           stablehlo.tanh {{.*}}echo.recompute
// PLAN-LABEL: func.func @main
// PLAN:         plan.while
// PLAN-NOT:     plan.copy
func.func @main(%k: tensor<32x64x64xf32>, %x: tensor<64x64xf32>, %w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<64x64xf32>, tensor<f32>) {
  %start = stablehlo.constant dense<1.0> : tensor<f32>
  %f:2 = stablehlo.while(%v = %w, %s = %start) : tensor<64x64xf32>, tensor<f32>
   cond {
    %small = stablehlo.constant dense<0.1> : tensor<f32>
    %goes_on = stablehlo.compare GT, %s, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %rate = stablehlo.constant dense<0.001> : tensor<64x64xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<32x64x64xf32>
    %q0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b0 = stablehlo.broadcast_in_dim %q0, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %a0 = stablehlo.add %k, %b0 : tensor<32x64x64xf32>
    %t0 = stablehlo.tanh %a0 : tensor<32x64x64xf32>
    %h0 = stablehlo.reduce(%t0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %q1 = stablehlo.dot_general %h0, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b1 = stablehlo.broadcast_in_dim %q1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %a1 = stablehlo.add %k, %b1 : tensor<32x64x64xf32>
    %t1 = stablehlo.tanh %a1 : tensor<32x64x64xf32>
    %h1 = stablehlo.reduce(%t1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %m1 = stablehlo.multiply %t1, %t1 : tensor<32x64x64xf32>
    %d1 = stablehlo.subtract %ones, %m1 : tensor<32x64x64xf32>
    %e1 = stablehlo.broadcast_in_dim %h1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %g1 = stablehlo.multiply %e1, %d1 : tensor<32x64x64xf32>
    %z1 = stablehlo.reduce(%g1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %w1 = stablehlo.dot_general %h0, %z1, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %n1 = stablehlo.dot_general %z1, %v, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m0 = stablehlo.multiply %t0, %t0 : tensor<32x64x64xf32>
    %d0 = stablehlo.subtract %ones, %m0 : tensor<32x64x64xf32>
    %e0 = stablehlo.broadcast_in_dim %n1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %g0 = stablehlo.multiply %e0, %d0 : tensor<32x64x64xf32>
    %z0 = stablehlo.reduce(%g0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %w0 = stablehlo.dot_general %x, %z0, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %sum = stablehlo.add %w0, %w1 : tensor<64x64xf32>
    %step = stablehlo.multiply %sum, %rate : tensor<64x64xf32>
    %next = stablehlo.subtract %v, %step : tensor<64x64xf32>
    %less = stablehlo.multiply %s, %half : tensor<f32>
    stablehlo.return %next, %less : tensor<64x64xf32>, tensor<f32>
  }
  return %f#0, %f#1 : tensor<64x64xf32>, tensor<f32>
}
