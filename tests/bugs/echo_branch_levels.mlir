// RUN: echo-opt %s --to=planned | FileCheck %s
// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s --check-prefix=ECHO
// What the second branch writes over depends on what is computed again inside it: with the kernels of a branch where nothing is, the
// step looked lower than it is, and was planned above the one without Echo.
// CHECK: plan.temp_bytes = 1280
// ECHO: plan.temp_bytes = 1216
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<f32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<17x1x2xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8xi1>, %arg4: tensor<1x5xi64>, %arg5: tensor<1x5xbf16> {jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<f32>, tensor<17x1x2xf32>, tensor<f32>) {
    %c = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_10 = %arg2) : tensor<i32>, tensor<17x1x2xf32> attributes {echo.phase = "forward"}
    cond {
      %c_11 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i32>
      %37 = stablehlo.compare LT, %iterArg, %c_11 {echo.phase = "forward"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %37 {echo.phase = "forward"} : tensor<i1>
    } do {
      %c_11 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<i32>
      %37 = stablehlo.add %iterArg, %c_11 {echo.phase = "forward"} : tensor<i32>
      %38 = stablehlo.add %iterArg_10, %arg2 {echo.phase = "forward"} : tensor<17x1x2xf32>
      stablehlo.return %37, %38 {echo.phase = "forward"} : tensor<i32>, tensor<17x1x2xf32>
    }
    %cst = stablehlo.constant {echo.phase = "forward"} dense<-1.500000e+00> : tensor<7x17xf32>
    %1 = stablehlo.dot_general %0#1, %cst, contracting_dims = [0] x [1] {echo.phase = "forward"} : (tensor<17x1x2xf32>, tensor<7x17xf32>) -> tensor<1x2x7xf32>
    %cst_0 = stablehlo.constant {echo.phase = "forward"} dense<-1.250000e+00> : tensor<2x7xf32>
    %2 = stablehlo.dot_general %1, %cst_0, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<1x2x7xf32>, tensor<2x7xf32>) -> tensor<1x7x7xf32>
    %c_1 = stablehlo.constant {echo.phase = "forward"} dense<4> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c_1, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %c_2 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<ui32>
    %3 = stablehlo.compare GE, %output, %c_2 {echo.phase = "forward"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %4 = stablehlo.add %2, %2 {echo.phase = "forward"} : tensor<1x7x7xf32>
    %5 = "stablehlo.if"(%3) ({
      stablehlo.return %4 {echo.phase = "forward"} : tensor<1x7x7xf32>
    }, {
      %37 = stablehlo.negate %4 {echo.phase = "forward"} : tensor<1x7x7xf32>
      %38 = stablehlo.maximum %37, %2 {echo.phase = "forward"} : tensor<1x7x7xf32>
      stablehlo.return %38 {echo.phase = "forward"} : tensor<1x7x7xf32>
    }) {echo.phase = "forward"} : (tensor<i1>) -> tensor<1x7x7xf32>
    %cst_3 = stablehlo.constant {echo.phase = "forward"} dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 2] {echo.phase = "forward"} : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<7xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] {echo.phase = "forward"} : (tensor<7xf32>) -> tensor<1x7x7xf32>
    %8 = stablehlo.sine %7 {echo.phase = "forward"} : tensor<1x7x7xf32>
    %9 = stablehlo.convert %8 {echo.phase = "forward"} : (tensor<1x7x7xf32>) -> tensor<1x7x7xi1>
    %10 = stablehlo.select %9, %8, %7 {echo.phase = "forward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
    %11 = stablehlo.convert %10 {echo.phase = "forward"} : (tensor<1x7x7xf32>) -> tensor<1x7x7xf64>
    %cst_4 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] {echo.phase = "forward"} : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.convert %11 {echo.phase = "forward"} : (tensor<1x7x7xf64>) -> tensor<1x7x7xf32>
    %14 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] {echo.phase = "forward"} : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<f32>
    %15 = stablehlo.add %12, %14 {echo.phase = "forward"} : tensor<f32>
    %cst_5 = stablehlo.constant {echo.phase = "backward"} dense<2.000000e+00> : tensor<1x7x7xf32>
    %cst_6 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<1x7x7xf32>
    %16 = stablehlo.select %9, %cst_5, %cst_6 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
    %17 = stablehlo.select %9, %cst_6, %cst_5 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
    %18 = stablehlo.cosine %7 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %19 = stablehlo.multiply %16, %18 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %20 = stablehlo.add %17, %19 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %cst_7 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_7) applies stablehlo.add across dimensions = [0, 2] {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<7xf32>
    %22 = stablehlo.broadcast_in_dim %6, dims = [1] {echo.phase = "backward"} : (tensor<7xf32>) -> tensor<1x7x7xf32>
    %23 = stablehlo.compare EQ, %5, %22 {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<1x7x7xf32>) -> tensor<1x7x7xi1>
    %24 = stablehlo.convert %23 {echo.phase = "backward"} : (tensor<1x7x7xi1>) -> tensor<1x7x7xf32>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [0, 2] {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_8 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<7xf32>
    %26 = stablehlo.maximum %25, %cst_8 {echo.phase = "backward"} : tensor<7xf32>
    %27 = stablehlo.divide %21, %26 {echo.phase = "backward"} : tensor<7xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1] {echo.phase = "backward"} : (tensor<7xf32>) -> tensor<1x7x7xf32>
    %29 = stablehlo.multiply %24, %28 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %30:2 = "stablehlo.if"(%3) ({
      %cst_10 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<1x7x7xf32>
      stablehlo.return %29, %cst_10 {echo.phase = "backward"} : tensor<1x7x7xf32>, tensor<1x7x7xf32>
    }, {
      %cst_10 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<1x7x7xf32>
      %37 = stablehlo.add %2, %2 {echo.phase = "forward"} : tensor<1x7x7xf32>
      %38 = stablehlo.negate %37 {echo.phase = "backward"} : tensor<1x7x7xf32>
      %39 = stablehlo.compare GT, %38, %2 {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<1x7x7xf32>) -> tensor<1x7x7xi1>
      %40 = stablehlo.compare GT, %2, %38 {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<1x7x7xf32>) -> tensor<1x7x7xi1>
      %cst_11 = stablehlo.constant {echo.phase = "backward"} dense<5.000000e-01> : tensor<1x7x7xf32>
      %41 = stablehlo.multiply %29, %cst_11 {echo.phase = "backward"} : tensor<1x7x7xf32>
      %42 = stablehlo.select %40, %cst_10, %41 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
      %43 = stablehlo.select %39, %29, %42 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
      %44 = stablehlo.select %39, %cst_10, %41 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
      %45 = stablehlo.select %40, %29, %44 {echo.phase = "backward"} : tensor<1x7x7xi1>, tensor<1x7x7xf32>
      %46 = stablehlo.negate %43 {echo.phase = "backward"} : tensor<1x7x7xf32>
      stablehlo.return %46, %45 {echo.phase = "backward"} : tensor<1x7x7xf32>, tensor<1x7x7xf32>
    }) {echo.phase = "backward"} : (tensor<i1>) -> (tensor<1x7x7xf32>, tensor<1x7x7xf32>)
    %31 = stablehlo.add %30#1, %30#0 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %32 = stablehlo.add %31, %30#0 {echo.phase = "backward"} : tensor<1x7x7xf32>
    %33 = stablehlo.dot_general %32, %cst_0, contracting_dims = [2] x [1] {echo.phase = "backward"} : (tensor<1x7x7xf32>, tensor<2x7xf32>) -> tensor<1x7x2xf32>
    %34 = stablehlo.dot_general %cst, %33, contracting_dims = [0] x [1] {echo.phase = "backward"} : (tensor<7x17xf32>, tensor<1x7x2xf32>) -> tensor<17x1x2xf32>
    %cst_9 = stablehlo.constant {echo.phase = "update"} dense<6.250000e-02> : tensor<17x1x2xf32>
    %35 = stablehlo.multiply %34, %cst_9 {echo.phase = "update"} : tensor<17x1x2xf32>
    %36 = stablehlo.subtract %arg2, %35 {echo.phase = "update"} : tensor<17x1x2xf32>
    return {echo.phase = "update"} %arg0, %arg1, %36, %15 : tensor<4xf32>, tensor<f32>, tensor<17x1x2xf32>, tensor<f32>
  }
}
