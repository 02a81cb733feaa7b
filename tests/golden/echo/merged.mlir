// What jax.checkpoint runs again is a proposal: with room enough it is kept, where that is too much it runs again, and bits stay.
// RUN: echo-opt %s --to=echoed --echo=budget=1GiB | FileCheck %s --check-prefix=ROOM
// ROOM:     echo.off_ns
// ROOM-NOT: stablehlo.optimization_barrier
// RUN: echo-opt %s --to=echoed --echo=budget=min | FileCheck %s --check-prefix=MIN
// MIN: stablehlo.optimization_barrier
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --quiet --outputs=%t.off.npz
// RUN: echo-run %s --no-cache --echo=budget=1GiB --expect=%t.off.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --echo=budget=min --expect=%t.off.npz --rtol=0 --atol=0 --quiet
func.func @main(%x: tensor<64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>) -> (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t0 = stablehlo.tanh %d0 : tensor<64x64xf32>
  %e0 = stablehlo.sine %t0 : tensor<64x64xf32>
  %d1 = stablehlo.dot_general %e0, %w1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t1 = stablehlo.tanh %d1 : tensor<64x64xf32>
  %e1 = stablehlo.sine %t1 : tensor<64x64xf32>
  %d2 = stablehlo.dot_general %e1, %w2, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t2 = stablehlo.tanh %d2 : tensor<64x64xf32>
  %e2 = stablehlo.sine %t2 : tensor<64x64xf32>
  %loss = stablehlo.reduce(%e2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %g3 = stablehlo.sign %e2 : tensor<64x64xf32>
  %b2:3 = stablehlo.optimization_barrier %e1, %w2, %g3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %rd2 = stablehlo.dot_general %b2#0, %b2#1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %rt2 = stablehlo.tanh %rd2 : tensor<64x64xf32>
  %c2 = stablehlo.cosine %rt2 : tensor<64x64xf32>
  %q2 = stablehlo.multiply %rt2, %rt2 : tensor<64x64xf32>
  %gc2 = stablehlo.multiply %c2, %b2#2 : tensor<64x64xf32>
  %gq2 = stablehlo.multiply %gc2, %q2 : tensor<64x64xf32>
  %ga2 = stablehlo.subtract %gc2, %gq2 : tensor<64x64xf32>
  %gw2 = stablehlo.dot_general %b2#0, %ga2, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %gx2 = stablehlo.dot_general %ga2, %b2#1, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b1:3 = stablehlo.optimization_barrier %e0, %w1, %gx2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %rd1 = stablehlo.dot_general %b1#0, %b1#1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %rt1 = stablehlo.tanh %rd1 : tensor<64x64xf32>
  %c1 = stablehlo.cosine %rt1 : tensor<64x64xf32>
  %q1 = stablehlo.multiply %rt1, %rt1 : tensor<64x64xf32>
  %gc1 = stablehlo.multiply %c1, %b1#2 : tensor<64x64xf32>
  %gq1 = stablehlo.multiply %gc1, %q1 : tensor<64x64xf32>
  %ga1 = stablehlo.subtract %gc1, %gq1 : tensor<64x64xf32>
  %gw1 = stablehlo.dot_general %b1#0, %ga1, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %gx1 = stablehlo.dot_general %ga1, %b1#1, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b0:3 = stablehlo.optimization_barrier %x, %w0, %gx1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %rd0 = stablehlo.dot_general %b0#0, %b0#1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %rt0 = stablehlo.tanh %rd0 : tensor<64x64xf32>
  %c0 = stablehlo.cosine %rt0 : tensor<64x64xf32>
  %q0 = stablehlo.multiply %rt0, %rt0 : tensor<64x64xf32>
  %gc0 = stablehlo.multiply %c0, %b0#2 : tensor<64x64xf32>
  %gq0 = stablehlo.multiply %gc0, %q0 : tensor<64x64xf32>
  %ga0 = stablehlo.subtract %gc0, %gq0 : tensor<64x64xf32>
  %gw0 = stablehlo.dot_general %b0#0, %ga0, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %gx0 = stablehlo.dot_general %ga0, %b0#1, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %loss, %gw0, %gw1, %gw2 : tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
