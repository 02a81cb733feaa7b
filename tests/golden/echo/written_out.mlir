// A step as PyTorch/XLA writes it: normalisation as ops of its own, forward and backward, the mask of a rectifier beside it, every
// gradient of a layer before any of a weight. What the two ops of a normalisation share once they are written out is computed once: the
// layers are seen to wait for the backward part, and a third of what they hold is enough (half was, where it was computed twice).
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=STEP
// RUN: echo-opt %s --to=planned --device-model=gpu-a100-40g --echo=budget=min -o - | FileCheck %s --check-prefix=LEAST
// LEAST: echo.off_bytes = 1572864 : i64
// LEAST-SAME: echo.on_bytes = 524288 : i64

// STEP: %[[C:[0-9]+]] = stablehlo.subtract %[[X:[0-9]+]], %{{[0-9]+}} {echo.phase = "forward"}
// STEP-NOT: stablehlo.subtract %[[X]],

func.func @main(%x: tensor<512x64xf32>, %y: tensor<512x64xf32>, %w0: tensor<64x64xf32>, %g0: tensor<64xf32>, %b0: tensor<64xf32>, %w1: tensor<64x64xf32>, %g1: tensor<64xf32>, %b1: tensor<64xf32>, %w2: tensor<64x64xf32>, %g2: tensor<64xf32>, %b2: tensor<64xf32>, %w3: tensor<64x64xf32>, %g3: tensor<64xf32>, %b3: tensor<64xf32>, %w4: tensor<64x64xf32>, %g4: tensor<64xf32>, %b4: tensor<64xf32>, %w5: tensor<64x64xf32>, %g5: tensor<64xf32>, %b5: tensor<64xf32>) -> (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<512x64xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<64x64xf32>
  %p0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n0, %m0, %v0 = "stablehlo.batch_norm_training"(%p0, %g0, %b0) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r0 = stablehlo.maximum %n0, %zeros : tensor<512x64xf32>
  %c0 = stablehlo.compare GT, %r0, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %p1 = stablehlo.dot_general %r0, %w1, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n1, %m1, %v1 = "stablehlo.batch_norm_training"(%p1, %g1, %b1) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r1 = stablehlo.maximum %n1, %zeros : tensor<512x64xf32>
  %c1 = stablehlo.compare GT, %r1, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %p2 = stablehlo.dot_general %r1, %w2, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n2, %m2, %v2 = "stablehlo.batch_norm_training"(%p2, %g2, %b2) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r2 = stablehlo.maximum %n2, %zeros : tensor<512x64xf32>
  %c2 = stablehlo.compare GT, %r2, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %p3 = stablehlo.dot_general %r2, %w3, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n3, %m3, %v3 = "stablehlo.batch_norm_training"(%p3, %g3, %b3) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r3 = stablehlo.maximum %n3, %zeros : tensor<512x64xf32>
  %c3 = stablehlo.compare GT, %r3, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %p4 = stablehlo.dot_general %r3, %w4, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n4, %m4, %v4 = "stablehlo.batch_norm_training"(%p4, %g4, %b4) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r4 = stablehlo.maximum %n4, %zeros : tensor<512x64xf32>
  %c4 = stablehlo.compare GT, %r4, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %p5 = stablehlo.dot_general %r4, %w5, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %n5, %m5, %v5 = "stablehlo.batch_norm_training"(%p5, %g5, %b5) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %r5 = stablehlo.maximum %n5, %zeros : tensor<512x64xf32>
  %c5 = stablehlo.compare GT, %r5, %zeros : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xi1>
  %e = stablehlo.subtract %r5, %y : tensor<512x64xf32>
  %ee = stablehlo.multiply %e, %e : tensor<512x64xf32>
  %loss = stablehlo.reduce(%ee init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<f32>
  %d = stablehlo.add %e, %e : tensor<512x64xf32>
  %s5 = stablehlo.select %c5, %d, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q5, %dg5, %db5 = "stablehlo.batch_norm_grad"(%p5, %g5, %m5, %v5, %s5) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %d5 = stablehlo.dot_general %q5, %w5, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s4 = stablehlo.select %c4, %d5, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q4, %dg4, %db4 = "stablehlo.batch_norm_grad"(%p4, %g4, %m4, %v4, %s4) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %d4 = stablehlo.dot_general %q4, %w4, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s3 = stablehlo.select %c3, %d4, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q3, %dg3, %db3 = "stablehlo.batch_norm_grad"(%p3, %g3, %m3, %v3, %s3) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %d3 = stablehlo.dot_general %q3, %w3, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s2 = stablehlo.select %c2, %d3, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q2, %dg2, %db2 = "stablehlo.batch_norm_grad"(%p2, %g2, %m2, %v2, %s2) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %d2 = stablehlo.dot_general %q2, %w2, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s1 = stablehlo.select %c1, %d2, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q1, %dg1, %db1 = "stablehlo.batch_norm_grad"(%p1, %g1, %m1, %v1, %s1) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %d1 = stablehlo.dot_general %q1, %w1, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %s0 = stablehlo.select %c0, %d1, %zeros : tensor<512x64xi1>, tensor<512x64xf32>
  %q0, %dg0, %db0 = "stablehlo.batch_norm_grad"(%p0, %g0, %m0, %v0, %s0) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %u0 = stablehlo.dot_general %x, %q0, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t0 = stablehlo.multiply %u0, %rate : tensor<64x64xf32>
  %o0 = stablehlo.subtract %w0, %t0 : tensor<64x64xf32>
  %u1 = stablehlo.dot_general %r0, %q1, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t1 = stablehlo.multiply %u1, %rate : tensor<64x64xf32>
  %o1 = stablehlo.subtract %w1, %t1 : tensor<64x64xf32>
  %u2 = stablehlo.dot_general %r1, %q2, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t2 = stablehlo.multiply %u2, %rate : tensor<64x64xf32>
  %o2 = stablehlo.subtract %w2, %t2 : tensor<64x64xf32>
  %u3 = stablehlo.dot_general %r2, %q3, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t3 = stablehlo.multiply %u3, %rate : tensor<64x64xf32>
  %o3 = stablehlo.subtract %w3, %t3 : tensor<64x64xf32>
  %u4 = stablehlo.dot_general %r3, %q4, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t4 = stablehlo.multiply %u4, %rate : tensor<64x64xf32>
  %o4 = stablehlo.subtract %w4, %t4 : tensor<64x64xf32>
  %u5 = stablehlo.dot_general %r4, %q5, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  %t5 = stablehlo.multiply %u5, %rate : tensor<64x64xf32>
  %o5 = stablehlo.subtract %w5, %t5 : tensor<64x64xf32>
  return %loss, %o0, %o1, %o2, %o3, %o4, %o5 : tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
