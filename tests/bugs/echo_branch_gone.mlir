// RUN: echo-opt %s --to=planned --echo=overhead=0% | FileCheck %s
// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s
// All that reads the branch is recomputed where it is read again, and the first branch with it: it
// was asked for its regions after the rewrite had erased it.
// CHECK: plan.temp_bytes
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<4xf64> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8xui8>, %arg2: tensor<2x17x2xf64> {jax.buffer_donor = true}) -> (tensor<4xf64>, tensor<f32>) {
    %c = stablehlo.constant {echo.phase = "forward"} dense<false> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      stablehlo.return %arg0 {echo.phase = "forward"} : tensor<4xf64>
    }, {
      %10 = stablehlo.add %arg0, %arg0 {echo.phase = "forward"} : tensor<4xf64>
      stablehlo.return %10 {echo.phase = "forward"} : tensor<4xf64>
    }) {echo.phase = "forward"} : (tensor<i1>) -> tensor<4xf64>
    %1 = stablehlo.sqrt %0 {echo.phase = "forward"} : tensor<4xf64>
    %2 = stablehlo.add %1, %1 {echo.phase = "forward"} : tensor<4xf64>
    %c_0 = stablehlo.constant {echo.phase = "forward"} dense<18446744073709551608> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c_0, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %c_1 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<4xui32>
    %3 = stablehlo.compare GE, %output, %c_1 {echo.phase = "forward"} : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
    %cst = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<4xf64>
    %4 = stablehlo.multiply %2, %cst {echo.phase = "forward"} : tensor<4xf64>
    %cst_2 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<4xf64>
    %5 = stablehlo.select %3, %4, %cst_2 {echo.phase = "forward"} : tensor<4xi1>, tensor<4xf64>
    %6 = stablehlo.convert %5 {echo.phase = "forward"} : (tensor<4xf64>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant {echo.phase = "backward"} dense<6.250000e-02> : tensor<4xf64>
    %8 = stablehlo.multiply %5, %cst_4 {echo.phase = "backward"} : tensor<4xf64>
    %9 = stablehlo.subtract %arg0, %8 {echo.phase = "backward"} : tensor<4xf64>
    return {echo.phase = "backward"} %9, %7 : tensor<4xf64>, tensor<f32>
  }
}
