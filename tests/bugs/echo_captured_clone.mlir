// A branch of the backward part that reads a recomputed value from outside: the clone was made, but the region went on reading
// the original, which then lived as long as before.
//
// RUN: echo-opt %s --to=planned --echo=budget=min -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: echo-opt %s --to=echoed --echo=budget=min | FileCheck %s --check-prefix=ECHOED

// What was estimated is what comes out.
// CHECK: echo.on_bytes = [[BYTES:[0-9]+]] : i64
// CHECK-SAME: plan.bound_bytes = [[BYTES]] : i64

// ECHOED: %[[AGAIN:.*]] = stablehlo.tanh %{{.*}} {echo.phase = "backward", echo.recompute}
// ECHOED: stablehlo.if
// ECHOED: stablehlo.multiply %{{.*}}, %[[AGAIN]]
func.func @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %flag: tensor<i1>, %to: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<64x64xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.negate %arg0 {echo.phase = "forward"} : tensor<64x64xf32>
  %1 = stablehlo.tanh %0 {echo.phase = "forward"} : tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [0] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = "stablehlo.if"(%flag) ({
    %7 = stablehlo.multiply %5, %1 {echo.phase = "backward"} : tensor<64x64xf32>
    stablehlo.return %7 : tensor<64x64xf32>
  }, {
    stablehlo.return %5 : tensor<64x64xf32>
  }) {echo.phase = "backward"} : (tensor<i1>) -> tensor<64x64xf32>
  return %6, %4 : tensor<64x64xf32>, tensor<f32>
}
