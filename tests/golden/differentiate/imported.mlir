// RUN: echo-opt %s --differentiate | FileCheck %s
// RUN: echo-opt %s --differentiate --verify-roundtrip -o /dev/null

// A step as JAX lowers it, with its gradients in it: what the loss is computed from is the forward part. 1 - tanh^2 stands outside
// of it, although it reads forward values only.
// CHECK-LABEL: func.func public @main
// CHECK:         stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {echo.phase = "forward"}
// CHECK:         %[[Y:.*]] = stablehlo.tanh %{{.*}} {echo.phase = "forward"}
// CHECK:         stablehlo.subtract %{{.*}}, %[[Y]] {echo.phase = "backward"}
// CHECK:         %[[LOSS:.*]] = stablehlo.reduce(%[[Y]] init: %{{.*}}) {{.*}} {echo.phase = "forward"}
// CHECK:         stablehlo.dot_general {{.*}} {echo.phase = "backward"}
// CHECK:         stablehlo.subtract %arg0, {{.*}} {echo.phase = "backward"}
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x2xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.tanh %0 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<4x2xf32>
    %7 = stablehlo.multiply %6, %1 : tensor<4x2xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x2xf32>
    %9 = stablehlo.dot_general %8, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<3x2xf32>
    %13 = stablehlo.subtract %arg0, %12 : tensor<3x2xf32>
    return %4, %13 : tensor<f32>, tensor<3x2xf32>
  }
}
