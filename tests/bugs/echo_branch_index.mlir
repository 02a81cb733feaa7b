// RUN: echo-opt %s --to=planned | FileCheck %s
// RUN: echo-opt %s --to=planned --echo=overhead=100% | FileCheck %s
// The index of the branch is written over by its result: the estimate did not know what the kernels' storage knew, and the step as it
// was written looked higher than it was planned without Echo.
// CHECK: plan.temp_bytes = 128
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<1x8x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<5x1xi32>, %arg2: tensor<f32> {tf.aliasing_output = 1 : i32}) -> (tensor<1x8x2xf32>, tensor<f32>) {
    %c = stablehlo.constant {echo.phase = "forward"} dense<false> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      stablehlo.return %arg0 {echo.phase = "forward"} : tensor<1x8x2xf32>
    }, {
      %23 = stablehlo.add %arg0, %arg0 {echo.phase = "forward"} : tensor<1x8x2xf32>
      stablehlo.return %23 {echo.phase = "forward"} : tensor<1x8x2xf32>
    }) {echo.phase = "forward"} : (tensor<i1>) -> tensor<1x8x2xf32>
    %1 = stablehlo.logistic %0 {echo.phase = "backward"} : tensor<1x8x2xf32>
    %2 = stablehlo.clamp %1, %0, %1 {echo.phase = "backward"} : tensor<1x8x2xf32>
    %3 = stablehlo.abs %0 {echo.phase = "forward"} : tensor<1x8x2xf32>
    %4 = stablehlo.sign %3 {echo.phase = "forward"} : tensor<1x8x2xf32>
    %5 = stablehlo.floor %4 {echo.phase = "forward"} : tensor<1x8x2xf32>
    %6 = stablehlo.exponential_minus_one %5 {echo.phase = "forward"} : tensor<1x8x2xf32>
    %7 = stablehlo.subtract %5, %6 {echo.phase = "forward"} : tensor<1x8x2xf32>
    %cst = stablehlo.constant {echo.phase = "backward"} dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%2 init: %cst) applies stablehlo.maximum across dimensions = [0] {echo.phase = "backward"} : (tensor<1x8x2xf32>, tensor<f32>) -> tensor<8x2xf32>
    %9 = stablehlo.reshape %8 {echo.phase = "backward"} : (tensor<8x2xf32>) -> tensor<1x8x2xf32>
    %cst_0 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [1, 2] {echo.phase = "forward"} : (tensor<1x8x2xf32>, tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.convert %10 {echo.phase = "forward"} : (tensor<1xf32>) -> tensor<1xui8>
    %12 = stablehlo.convert %11 {echo.phase = "forward"} : (tensor<1xui8>) -> tensor<1xf32>
    %c_1 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i32>
    %13 = "stablehlo.case"(%c_1) ({
      stablehlo.return %10 {echo.phase = "forward"} : tensor<1xf32>
    }, {
      %23 = stablehlo.add %10, %12 {echo.phase = "forward"} : tensor<1xf32>
      stablehlo.return %23 {echo.phase = "forward"} : tensor<1xf32>
    }, {
      %23 = stablehlo.add %10, %12 {echo.phase = "forward"} : tensor<1xf32>
      %24 = stablehlo.tanh %23 {echo.phase = "forward"} : tensor<1xf32>
      stablehlo.return %24 {echo.phase = "forward"} : tensor<1xf32>
    }) {echo.phase = "forward"} : (tensor<i32>) -> tensor<1xf32>
    %14 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %15 = stablehlo.convert %14 {echo.phase = "forward"} : (tensor<f32>) -> tensor<i1>
    %16 = "stablehlo.if"(%15) ({
      %23 = stablehlo.tanh %13 {echo.phase = "forward"} : tensor<1xf32>
      stablehlo.return %23 {echo.phase = "forward"} : tensor<1xf32>
    }, {
      %23 = stablehlo.tanh %13 {echo.phase = "forward"} : tensor<1xf32>
      %24 = stablehlo.negate %23 {echo.phase = "forward"} : tensor<1xf32>
      %25 = stablehlo.maximum %24, %13 {echo.phase = "forward"} : tensor<1xf32>
      stablehlo.return %25 {echo.phase = "forward"} : tensor<1xf32>
    }) {echo.phase = "forward"} : (tensor<i1>) -> tensor<1xf32>
    %17 = stablehlo.reduce(%16 init: %cst_0) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %18 = stablehlo.add %17, %17 {echo.phase = "forward"} : tensor<f32>
    %19 = stablehlo.add %18, %17 {echo.phase = "forward"} : tensor<f32>
    %20 = stablehlo.add %19, %17 {echo.phase = "forward"} : tensor<f32>
    %cst_2 = stablehlo.constant {echo.phase = "backward"} dense<6.250000e-02> : tensor<1x8x2xf32>
    %21 = stablehlo.multiply %9, %cst_2 {echo.phase = "backward"} : tensor<1x8x2xf32>
    %22 = stablehlo.subtract %arg0, %21 {echo.phase = "backward"} : tensor<1x8x2xf32>
    return {echo.phase = "backward"} %22, %20 : tensor<1x8x2xf32>, tensor<f32>
  }
}
