// Three microbatches, an argument of the step each, with their gradients added up: at the least there is the step is a loop that reads rows of
// the three. All numbers are small integers, so that no sum rounds: with Echo off and on and at the least the results are those of the interpreter.
// RUN: echo-opt %s --to=planned -o %t.off.mlir && FileCheck %s --check-prefix=OFF < %t.off.mlir
// OFF: plan.temp_bytes = 86016
// OFF-NOT: plan.while
// RUN: echo-opt %s --to=planned --echo=budget=min -o %t.min.mlir && FileCheck %s --check-prefix=MIN < %t.min.mlir
// MIN: plan.temp_bytes = 45120
// MIN: stablehlo.concatenate
// MIN: stablehlo.dynamic_slice
// MIN: "plan.while"
// RUN: echo-run %s --device=interpreter --steps=2 --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --steps=2 --threads=2 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --steps=2 --echo=overhead=2%% --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --steps=2 --echo=budget=min --threads=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --steps=2 --echo=budget=min --threads=2 --expect=%t.npz --rtol=0 --atol=0 --quiet

func.func @main(%x2: tensor<64x32xf32>, %x0: tensor<64x32xf32>, %x1: tensor<64x32xf32>, %w0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %w2: tensor<32x32xf32> {tf.aliasing_output = 2 : i32}, %w3: tensor<32x32xf32> {tf.aliasing_output = 3 : i32}) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>) {
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %v0 = stablehlo.sign %w0 : tensor<32x32xf32>
  %v1 = stablehlo.sign %w1 : tensor<32x32xf32>
  %v2 = stablehlo.sign %w2 : tensor<32x32xf32>
  %v3 = stablehlo.sign %w3 : tensor<32x32xf32>
  %h0_0 = stablehlo.sign %x0 : tensor<64x32xf32>
  %p0_0 = stablehlo.dot_general %h0_0, %v0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h0_1 = stablehlo.sign %p0_0 : tensor<64x32xf32>
  %p0_1 = stablehlo.dot_general %h0_1, %v1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h0_2 = stablehlo.sign %p0_1 : tensor<64x32xf32>
  %p0_2 = stablehlo.dot_general %h0_2, %v2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h0_3 = stablehlo.sign %p0_2 : tensor<64x32xf32>
  %p0_3 = stablehlo.dot_general %h0_3, %v3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h0_4 = stablehlo.sign %p0_3 : tensor<64x32xf32>
  %d0_4 = stablehlo.negate %h0_4 : tensor<64x32xf32>
  %g0_3 = stablehlo.dot_general %h0_3, %d0_4, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f0_3 = stablehlo.dot_general %d0_4, %v3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d0_3 = stablehlo.sign %f0_3 : tensor<64x32xf32>
  %e0_2 = stablehlo.multiply %d0_3, %h0_3 : tensor<64x32xf32>
  %g0_2 = stablehlo.dot_general %h0_2, %e0_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f0_2 = stablehlo.dot_general %e0_2, %v2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d0_2 = stablehlo.sign %f0_2 : tensor<64x32xf32>
  %e0_1 = stablehlo.multiply %d0_2, %h0_2 : tensor<64x32xf32>
  %g0_1 = stablehlo.dot_general %h0_1, %e0_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f0_1 = stablehlo.dot_general %e0_1, %v1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d0_1 = stablehlo.sign %f0_1 : tensor<64x32xf32>
  %e0_0 = stablehlo.multiply %d0_1, %h0_1 : tensor<64x32xf32>
  %g0_0 = stablehlo.dot_general %h0_0, %e0_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %l0 = stablehlo.reduce(%h0_4 init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %h1_0 = stablehlo.sign %x1 : tensor<64x32xf32>
  %p1_0 = stablehlo.dot_general %h1_0, %v0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h1_1 = stablehlo.sign %p1_0 : tensor<64x32xf32>
  %p1_1 = stablehlo.dot_general %h1_1, %v1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h1_2 = stablehlo.sign %p1_1 : tensor<64x32xf32>
  %p1_2 = stablehlo.dot_general %h1_2, %v2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h1_3 = stablehlo.sign %p1_2 : tensor<64x32xf32>
  %p1_3 = stablehlo.dot_general %h1_3, %v3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h1_4 = stablehlo.sign %p1_3 : tensor<64x32xf32>
  %d1_4 = stablehlo.negate %h1_4 : tensor<64x32xf32>
  %g1_3 = stablehlo.dot_general %h1_3, %d1_4, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f1_3 = stablehlo.dot_general %d1_4, %v3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d1_3 = stablehlo.sign %f1_3 : tensor<64x32xf32>
  %e1_2 = stablehlo.multiply %d1_3, %h1_3 : tensor<64x32xf32>
  %g1_2 = stablehlo.dot_general %h1_2, %e1_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f1_2 = stablehlo.dot_general %e1_2, %v2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d1_2 = stablehlo.sign %f1_2 : tensor<64x32xf32>
  %e1_1 = stablehlo.multiply %d1_2, %h1_2 : tensor<64x32xf32>
  %g1_1 = stablehlo.dot_general %h1_1, %e1_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f1_1 = stablehlo.dot_general %e1_1, %v1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d1_1 = stablehlo.sign %f1_1 : tensor<64x32xf32>
  %e1_0 = stablehlo.multiply %d1_1, %h1_1 : tensor<64x32xf32>
  %g1_0 = stablehlo.dot_general %h1_0, %e1_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %l1 = stablehlo.reduce(%h1_4 init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %h2_0 = stablehlo.sign %x2 : tensor<64x32xf32>
  %p2_0 = stablehlo.dot_general %h2_0, %v0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h2_1 = stablehlo.sign %p2_0 : tensor<64x32xf32>
  %p2_1 = stablehlo.dot_general %h2_1, %v1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h2_2 = stablehlo.sign %p2_1 : tensor<64x32xf32>
  %p2_2 = stablehlo.dot_general %h2_2, %v2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h2_3 = stablehlo.sign %p2_2 : tensor<64x32xf32>
  %p2_3 = stablehlo.dot_general %h2_3, %v3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %h2_4 = stablehlo.sign %p2_3 : tensor<64x32xf32>
  %d2_4 = stablehlo.negate %h2_4 : tensor<64x32xf32>
  %g2_3 = stablehlo.dot_general %h2_3, %d2_4, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f2_3 = stablehlo.dot_general %d2_4, %v3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d2_3 = stablehlo.sign %f2_3 : tensor<64x32xf32>
  %e2_2 = stablehlo.multiply %d2_3, %h2_3 : tensor<64x32xf32>
  %g2_2 = stablehlo.dot_general %h2_2, %e2_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f2_2 = stablehlo.dot_general %e2_2, %v2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d2_2 = stablehlo.sign %f2_2 : tensor<64x32xf32>
  %e2_1 = stablehlo.multiply %d2_2, %h2_2 : tensor<64x32xf32>
  %g2_1 = stablehlo.dot_general %h2_1, %e2_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %f2_1 = stablehlo.dot_general %e2_1, %v1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %d2_1 = stablehlo.sign %f2_1 : tensor<64x32xf32>
  %e2_0 = stablehlo.multiply %d2_1, %h2_1 : tensor<64x32xf32>
  %g2_0 = stablehlo.dot_general %h2_0, %e2_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %l2 = stablehlo.reduce(%h2_4 init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %t0_1 = stablehlo.add %g0_0, %g1_0 : tensor<32x32xf32>
  %t0_2 = stablehlo.add %t0_1, %g2_0 : tensor<32x32xf32>
  %n0 = stablehlo.subtract %v0, %t0_2 : tensor<32x32xf32>
  %t1_1 = stablehlo.add %g0_1, %g1_1 : tensor<32x32xf32>
  %t1_2 = stablehlo.add %t1_1, %g2_1 : tensor<32x32xf32>
  %n1 = stablehlo.subtract %v1, %t1_2 : tensor<32x32xf32>
  %t2_1 = stablehlo.add %g0_2, %g1_2 : tensor<32x32xf32>
  %t2_2 = stablehlo.add %t2_1, %g2_2 : tensor<32x32xf32>
  %n2 = stablehlo.subtract %v2, %t2_2 : tensor<32x32xf32>
  %t3_1 = stablehlo.add %g0_3, %g1_3 : tensor<32x32xf32>
  %t3_2 = stablehlo.add %t3_1, %g2_3 : tensor<32x32xf32>
  %n3 = stablehlo.subtract %v3, %t3_2 : tensor<32x32xf32>
  %k1 = stablehlo.add %l0, %l1 : tensor<f32>
  %k2 = stablehlo.add %k1, %l2 : tensor<f32>
  return %n0, %n1, %n2, %n3, %k2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>
}
