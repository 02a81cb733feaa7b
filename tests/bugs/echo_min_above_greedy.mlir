// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s --check-prefix=MIN
// RUN: echo-opt %s --to=planned --echo=policy=greedy | FileCheck %s
// The rule of the paper once reached lower than budget=min.
// MIN: plan.peak_bytes = 345
// CHECK: plan.peak_bytes = 409
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<f32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<17xui8>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] {echo.phase = "forward"} : (tensor<f32>) -> tensor<4xf32>
    %cst = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.floor %1 {echo.phase = "forward"} : tensor<f32>
    %c = stablehlo.constant {echo.phase = "forward"} dense<5> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %3 = stablehlo.remainder %0, %0 {echo.phase = "forward"} : tensor<4xf32>
    %output_state_0, %output_1 = stablehlo.rng_bit_generator %output_state, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %c_2 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<4xui32>
    %4 = stablehlo.compare GE, %output_1, %c_2 {echo.phase = "forward"} : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
    %cst_3 = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<4xf32>
    %5 = stablehlo.multiply %3, %cst_3 {echo.phase = "forward"} : tensor<4xf32>
    %cst_4 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<4xf32>
    %6 = stablehlo.select %4, %5, %cst_4 {echo.phase = "forward"} : tensor<4xi1>, tensor<4xf32>
    %output_state_5, %output_6 = stablehlo.rng_bit_generator %output_state, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %c_7 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<ui32>
    %7 = stablehlo.compare GE, %output_6, %c_7 {echo.phase = "forward"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %cst_8 = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<f32>
    %8 = stablehlo.multiply %2, %cst_8 {echo.phase = "forward"} : tensor<f32>
    %9 = stablehlo.select %7, %8, %cst {echo.phase = "forward"} : tensor<i1>, tensor<f32>
    %10 = stablehlo.not %7 {echo.phase = "backward"} : tensor<i1>
    %c_9 = stablehlo.constant {echo.phase = "forward"} dense<18446744073709551609> : tensor<2xui64>
    %output_state_10, %output_11 = stablehlo.rng_bit_generator %c_9, algorithm = PHILOX {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %11 = stablehlo.convert %output_state {echo.phase = "forward"} : (tensor<2xui64>) -> tensor<2xi32>
    %12 = "stablehlo.gather"(%6, %11) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> {echo.phase = "forward"} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
    %13 = stablehlo.ceil %12 {echo.phase = "backward"} : tensor<2xf32>
    %output_state_12, %output_13 = stablehlo.rng_bit_generator %output_state_10, algorithm = PHILOX {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %14 = stablehlo.compare GE, %output_13, %c_7 {echo.phase = "forward"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %15 = stablehlo.multiply %9, %cst_8 {echo.phase = "forward"} : tensor<f32>
    %16 = stablehlo.select %14, %15, %cst {echo.phase = "forward"} : tensor<i1>, tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst) applies stablehlo.add across dimensions = [] {echo.phase = "forward"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.add %17, %18 {echo.phase = "forward"} : tensor<f32>
    %20 = stablehlo.add %19, %1 {echo.phase = "forward"} : tensor<f32>
    %21 = stablehlo.reduce(%12 init: %cst) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %22 = stablehlo.add %20, %21 {echo.phase = "forward"} : tensor<f32>
    %23 = stablehlo.convert %output_state_12 {echo.phase = "backward"} : (tensor<2xui64>) -> tensor<2xf32>
    %24 = stablehlo.convert %output_state_12 {echo.phase = "backward"} : (tensor<2xui64>) -> tensor<2xi1>
    %25 = stablehlo.select %24, %12, %23 {echo.phase = "backward"} : tensor<2xi1>, tensor<2xf32>
    %26 = "stablehlo.if"(%10) ({
      stablehlo.return %25 {echo.phase = "backward"} : tensor<2xf32>
    }, {
      %cst_17 = stablehlo.constant {echo.phase = "backward"} dense<5.000000e-01> : tensor<2xf32>
      %32 = stablehlo.multiply %25, %cst_17 {echo.phase = "backward"} : tensor<2xf32>
      %33 = stablehlo.subtract %32, %13 {echo.phase = "backward"} : tensor<2xf32>
      stablehlo.return %33 {echo.phase = "backward"} : tensor<2xf32>
    }) {echo.phase = "backward"} : (tensor<i1>) -> tensor<2xf32>
    %cst_14 = stablehlo.constant {echo.phase = "backward"} dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_14) applies stablehlo.maximum across dimensions = [0] {echo.phase = "backward"} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] {echo.phase = "backward"} : (tensor<f32>) -> tensor<2xf32>
    %cst_15 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_15) applies stablehlo.multiply across dimensions = [0] {echo.phase = "backward"} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant {echo.phase = "backward"} dense<6.250000e-02> : tensor<f32>
    %30 = stablehlo.multiply %29, %cst_16 {echo.phase = "backward"} : tensor<f32>
    %31 = stablehlo.subtract %arg0, %30 {echo.phase = "backward"} : tensor<f32>
    return {echo.phase = "backward"} %31, %22 : tensor<f32>, tensor<f32>
  }
}
