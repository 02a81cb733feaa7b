// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-opt --echo="overhead=100% explain=true" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --seed=1 --echo=overhead=100%% --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --echo=budget=min --schedule --fuse --bufferize --plan-memory --verify-plan %s -o /dev/null

// Two steps of two microbatches each, both in loops: the body of the inner one is planned like a step of its own. Its first large
// value is computed again behind a barrier, once a microbatch; gradients are accumulated in what the loop carries.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:           stablehlo.while
// CHECK:             stablehlo.tanh
// CHECK:             stablehlo.tanh
// CHECK:             %[[B:.*]]:{{[0-9]}} = stablehlo.optimization_barrier {echo.phase = "backward"}
// CHECK:             stablehlo.add %[[B]]#{{.*}} {echo.phase = "backward", echo.recompute}
// CHECK:             stablehlo.tanh %{{.*}} {echo.phase = "backward", echo.recompute}

// EXPLAIN-DAG: bodies.mlir:[[#@LINE+29]]:13: remark: echo: stablehlo.tanh recomputed, 1048576 bytes
// EXPLAIN-DAG: remark: echo: temporaries {{[0-9]+}} bytes without recompute, {{[0-9]+}} with
// EXPLAIN-DAG: remark: at the peak: {{[0-9]+}} bytes inside stablehlo.while
// EXPLAIN-DAG: bodies.mlir:[[#@LINE+13]]:12: remark: at the peak: {{[0-9]+}} bytes inside stablehlo.while
// EXPLAIN-DAG: remark: at the peak: {{[0-9]+}} bytes in {{[0-9]+}} of stablehlo.{{[a-z_]+}} tensor<64x64xf32>
func.func @main(%k: tensor<64x64x64xf32>, %u0: tensor<64x64xf32>, %u1: tensor<64x64xf32>, %xs: tensor<2x2x64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %c0, %w0 = %u0, %w1 = %u1) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
   cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<64x64xf32>
    %1:3 = stablehlo.while(%j = %c0, %acc0 = %none, %acc1 = %none) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
     cond {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %more = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %slice = stablehlo.dynamic_slice %xs, %i, %j, %c0, %c0, sizes = [1, 1, 64, 64] : (tensor<2x2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x64x64xf32>
      %x = stablehlo.reshape %slice : (tensor<1x1x64x64xf32>) -> tensor<64x64xf32>
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
      %sum0 = stablehlo.add %acc0, %dw0 : tensor<64x64xf32>
      %sum1 = stablehlo.add %acc1, %dw1 : tensor<64x64xf32>
      %after = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %after, %sum0, %sum1 : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
    }
    %new0 = stablehlo.subtract %w0, %1#1 : tensor<64x64xf32>
    %new1 = stablehlo.subtract %w1, %1#2 : tensor<64x64xf32>
    stablehlo.return %next, %new0, %new1 : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %0#1, %0#2 : tensor<64x64xf32>, tensor<64x64xf32>
}
