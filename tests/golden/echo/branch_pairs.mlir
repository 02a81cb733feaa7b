// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-opt --echo=overhead=0% %s | FileCheck %s --check-prefix=CHEAP
// RUN: echo-run %s --device=interpreter --seed=1 --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --seed=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet

// Of two layers one is skipped. What a layer computes for its gradient is computed in the gradient's branch, which goes the same way,
// from a product that stands for it.
// CHECK-LABEL: func.func @main
// CHECK:         "stablehlo.case"
// CHECK:           stablehlo.tanh
// CHECK:         }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK:         %[[F:.*]]:2 = "stablehlo.if"
// CHECK:         }) : (tensor<i1>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK:         "stablehlo.if"
// CHECK:           stablehlo.broadcast_in_dim %[[F]]#1, {{.*}}echo.recompute
// CHECK:           stablehlo.tanh {{.*}}echo.recompute
// CHECK:           stablehlo.subtract {{.*}}echo.recompute
// CHECK:         "stablehlo.case"
// CHECK:           stablehlo.tanh {{.*}}echo.recompute
// CHECK:           stablehlo.subtract {{.*}}echo.recompute

// In no more time 1 - t t is computed from t, which is handed on.
// CHEAP-LABEL: func.func @main
// CHEAP:         "stablehlo.case"
// CHEAP-COUNT-1: stablehlo.tanh
// CHEAP-NOT:     stablehlo.subtract
// CHEAP:         "stablehlo.if"
// CHEAP-COUNT-1: stablehlo.tanh
// CHEAP-NOT:     stablehlo.subtract
// CHEAP:         "stablehlo.if"
// CHEAP-NOT:     stablehlo.tanh
// CHEAP:         stablehlo.subtract {{.*}}echo.recompute
func.func @main(%keep: tensor<i1>, %k: tensor<32x64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %p0 = stablehlo.convert %keep : (tensor<i1>) -> tensor<i32>
  %p1 = stablehlo.not %keep : tensor<i1>
  %f0:3 = "stablehlo.case"(%p0) ({
    %zeros = stablehlo.constant dense<0.0> : tensor<32x64x64xf32>
    stablehlo.return %x, %zeros, %zeros : tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %ones = stablehlo.constant dense<1.0> : tensor<32x64x64xf32>
    %q = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b = stablehlo.broadcast_in_dim %q, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %a = stablehlo.add %k, %b : tensor<32x64x64xf32>
    %t = stablehlo.tanh %a : tensor<32x64x64xf32>
    %m = stablehlo.multiply %t, %t : tensor<32x64x64xf32>
    %d = stablehlo.subtract %ones, %m : tensor<32x64x64xf32>
    %s = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    stablehlo.return %s, %d, %t : tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>
  }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>)
  %f1:3 = "stablehlo.if"(%p1) ({
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %ones = stablehlo.constant dense<1.0> : tensor<32x64x64xf32>
    %q = stablehlo.dot_general %f0#0, %w1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b = stablehlo.broadcast_in_dim %q, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %a = stablehlo.add %k, %b : tensor<32x64x64xf32>
    %t = stablehlo.tanh %a : tensor<32x64x64xf32>
    %m = stablehlo.multiply %t, %t : tensor<32x64x64xf32>
    %d = stablehlo.subtract %ones, %m : tensor<32x64x64xf32>
    %s = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    stablehlo.return %s, %d, %t : tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>
  }, {
    %zeros = stablehlo.constant dense<0.0> : tensor<32x64x64xf32>
    stablehlo.return %f0#0, %zeros, %zeros : tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>
  }) : (tensor<i1>) -> (tensor<64x64xf32>, tensor<32x64x64xf32>, tensor<32x64x64xf32>)
  %g = stablehlo.multiply %f1#0, %x : tensor<64x64xf32>
  %r1:2 = "stablehlo.if"(%p1) ({
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %e = stablehlo.broadcast_in_dim %g, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %n = stablehlo.multiply %e, %f1#1 : tensor<32x64x64xf32>
    %c = stablehlo.multiply %n, %f1#2 : tensor<32x64x64xf32>
    %z = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %dw = stablehlo.dot_general %f0#0, %z, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %dh = stablehlo.dot_general %z, %w1, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %dh, %dw : tensor<64x64xf32>, tensor<64x64xf32>
  }, {
    %zeros = stablehlo.constant dense<0.0> : tensor<64x64xf32>
    stablehlo.return %g, %zeros : tensor<64x64xf32>, tensor<64x64xf32>
  }) : (tensor<i1>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
  %r0:2 = "stablehlo.case"(%p0) ({
    %zeros = stablehlo.constant dense<0.0> : tensor<64x64xf32>
    stablehlo.return %r1#0, %zeros : tensor<64x64xf32>, tensor<64x64xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %e = stablehlo.broadcast_in_dim %r1#0, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<32x64x64xf32>
    %n = stablehlo.multiply %e, %f0#1 : tensor<32x64x64xf32>
    %c = stablehlo.multiply %n, %f0#2 : tensor<32x64x64xf32>
    %z = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %dw = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %dh = stablehlo.dot_general %z, %w0, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %dh, %dw : tensor<64x64xf32>, tensor<64x64xf32>
  }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
  return %r0#0, %r0#1, %r1#1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
