// RUN: echo-opt --echo=overhead=100% %s | FileCheck %s
// RUN: echo-opt --echo=overhead=100% --cse --canonicalize %s | FileCheck %s
// RUN: echo-opt --echo=overhead=0% %s | FileCheck %s --check-prefix=OFF
// RUN: echo-opt --echo="policy=greedy overhead=100%" %s | FileCheck %s --check-prefix=GREEDY
// RUN: echo-opt --echo="overhead=100% explain=true" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: echo-opt --echo="policy=greedy overhead=100% explain=true" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEAR

// Two attention-like steps: small in, small out, large in between. The large value of the first is computed again behind a
// barrier that ties it to the gradient of its step; that of the last is read at once, in the kernels that make it.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.tanh %{{.*}} {echo.phase = "forward"}
// CHECK:         stablehlo.tanh %{{.*}} {echo.phase = "forward"}
// CHECK:         %[[B:.*]]:{{[0-9]}} = stablehlo.optimization_barrier {echo.phase = "backward"}
// CHECK:         stablehlo.add %[[B]]#{{.*}} {echo.phase = "backward", echo.recompute}
// CHECK:         stablehlo.tanh %{{.*}} {echo.phase = "backward", echo.recompute}

// OFF-LABEL:   func.func @main
// OFF-NOT:       echo.recompute

// GREEDY:        stablehlo.tanh %{{.*}} {echo.phase = "backward", echo.recompute}

// EXPLAIN-DAG: remark: echo: stablehlo.tanh recomputed, 1048576 bytes, {{.*}} us: {{the cut|carries a chain}}
// EXPLAIN-DAG: remark: echo: stablehlo.add recomputed, 1048576 bytes, {{.*}}: the cut keeps less below it
// EXPLAIN-DAG: remark: echo: stablehlo.reduce kept, 16384 bytes, {{.*}}: the cut goes through it: fewest bytes
// DEAR-DAG:    remark: echo: stablehlo.dot_general kept, 16384 bytes, {{.*}}: too dear to run again
// EXPLAIN:     remark: echo: temporaries {{[0-9]+}} bytes without recompute, {{[0-9]+}} with; predicted time {{[+-]}}
// EXPLAIN:     remark: at the peak: {{[0-9]+}} bytes in {{[0-9]+}} of
func.func @main(%k: tensor<64x64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %x: tensor<64x64xf32>,
                %to_w0: tensor<64x64xf32> {tf.aliasing_output = 1 : i32}, %to_w1: tensor<64x64xf32> {tf.aliasing_output = 2 : i32})
    -> (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<64x64x64xf32>
  %q0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b0 = stablehlo.broadcast_in_dim %q0, dims = [1, 2] {echo.phase = "forward"} : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %a0 = stablehlo.add %k, %b0 {echo.phase = "forward"} : tensor<64x64x64xf32>
  %t0 = stablehlo.tanh %a0 {echo.phase = "forward"} : tensor<64x64x64xf32>
  %s0 = stablehlo.reduce(%t0 init: %zero) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %q1 = stablehlo.dot_general %s0, %w1, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b1 = stablehlo.broadcast_in_dim %q1, dims = [1, 2] {echo.phase = "forward"} : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %a1 = stablehlo.add %k, %b1 {echo.phase = "forward"} : tensor<64x64x64xf32>
  %t1 = stablehlo.tanh %a1 {echo.phase = "forward"} : tensor<64x64x64xf32>
  %loss = stablehlo.reduce(%t1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] {echo.phase = "forward"} : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<f32>
  %m1 = stablehlo.multiply %t1, %t1 {echo.phase = "backward"} : tensor<64x64x64xf32>
  %d1 = stablehlo.subtract %one, %m1 {echo.phase = "backward"} : tensor<64x64x64xf32>
  %g1 = stablehlo.reduce(%d1 init: %zero) applies stablehlo.add across dimensions = [0] {echo.phase = "backward"} : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %dw1 = stablehlo.dot_general %s0, %g1, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %ds0 = stablehlo.dot_general %g1, %w1, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e0 = stablehlo.broadcast_in_dim %ds0, dims = [1, 2] {echo.phase = "backward"} : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %m0 = stablehlo.multiply %t0, %t0 {echo.phase = "backward"} : tensor<64x64x64xf32>
  %n0 = stablehlo.subtract %one, %m0 {echo.phase = "backward"} : tensor<64x64x64xf32>
  %d0 = stablehlo.multiply %e0, %n0 {echo.phase = "backward"} : tensor<64x64x64xf32>
  %g0 = stablehlo.reduce(%d0 init: %zero) applies stablehlo.add across dimensions = [0] {echo.phase = "backward"} : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %dw0 = stablehlo.dot_general %x, %g0, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %loss, %dw0, %dw1 : tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>
}
