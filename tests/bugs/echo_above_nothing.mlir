// RUN: echo-opt %s --to=planned | FileCheck %s --check-prefix=OFF
// RUN: echo-opt %s --echo=budget=min | echo-opt --to=planned | FileCheck %s --check-prefix=MIN
// What a branch makes is written over what it read: that was not known of kernels that are still to
// be found, the step with nothing recomputed looked dearer than it is, and a worse one was taken.
// OFF: plan.temp_bytes = 896
// MIN: plan.temp_bytes = 768
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<5x16xi1>) -> (tensor<16xf32>, tensor<f32>) {
    %c = stablehlo.constant {echo.phase = "forward"} dense<18446744073709551611> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16xui32>)
    %c_0 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<16xui32>
    %0 = stablehlo.compare GE, %output, %c_0 {echo.phase = "forward"} : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xi1>
    %cst = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<16xf32>
    %1 = stablehlo.multiply %arg0, %cst {echo.phase = "forward"} : tensor<16xf32>
    %cst_1 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<16xf32>
    %2 = stablehlo.select %0, %1, %cst_1 {echo.phase = "forward"} : tensor<16xi1>, tensor<16xf32>
    %output_state_2, %output_3 = stablehlo.rng_bit_generator %output_state, algorithm = PHILOX {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16xui32>)
    %3 = stablehlo.compare GE, %output_3, %c_0 {echo.phase = "forward"} : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xi1>
    %4 = stablehlo.multiply %2, %cst {echo.phase = "forward"} : tensor<16xf32>
    %5 = stablehlo.select %3, %4, %cst_1 {echo.phase = "forward"} : tensor<16xi1>, tensor<16xf32>
    %c_4 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i32>
    %c_5 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i64>
    %c_6 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<4xi32>
    %cst_7 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<4x16xf32>
    %6:5 = stablehlo.while(%iterArg = %c_4, %iterArg_19 = %5, %iterArg_20 = %c_5, %iterArg_21 = %c_6, %iterArg_22 = %cst_7) : tensor<i32>, tensor<16xf32>, tensor<i64>, tensor<4xi32>, tensor<4x16xf32> attributes {echo.phase = "forward"}
    cond {
      %c_23 = stablehlo.constant {echo.phase = "forward"} dense<4> : tensor<i32>
      %51 = stablehlo.compare LT, %iterArg, %c_23 {echo.phase = "forward"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 {echo.phase = "forward"} : tensor<i1>
    } do {
      %c_23 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i64>
      %c_24 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<i32>
      %51 = stablehlo.add %iterArg, %c_24 {echo.phase = "forward"} : tensor<i32>
      %52 = stablehlo.add %iterArg_19, %2 {echo.phase = "forward"} : tensor<16xf32>
      %53 = stablehlo.tanh %52 {echo.phase = "forward"} : tensor<16xf32>
      %c_25 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<i64>
      %54 = stablehlo.add %iterArg_20, %c_25 {echo.phase = "forward"} : tensor<i64>
      %55 = stablehlo.reshape %iterArg {echo.phase = "forward"} : (tensor<i32>) -> tensor<1xi32>
      %56 = stablehlo.dynamic_update_slice %iterArg_21, %55, %iterArg_20 {echo.phase = "forward"} : (tensor<4xi32>, tensor<1xi32>, tensor<i64>) -> tensor<4xi32>
      %57 = stablehlo.reshape %iterArg_19 {echo.phase = "forward"} : (tensor<16xf32>) -> tensor<1x16xf32>
      %58 = stablehlo.dynamic_update_slice %iterArg_22, %57, %iterArg_20, %c_23 {echo.phase = "forward"} : (tensor<4x16xf32>, tensor<1x16xf32>, tensor<i64>, tensor<i64>) -> tensor<4x16xf32>
      stablehlo.return %51, %53, %54, %56, %58 {echo.phase = "forward"} : tensor<i32>, tensor<16xf32>, tensor<i64>, tensor<4xi32>, tensor<4x16xf32>
    }
    %7 = stablehlo.slice %output_state_2 [0:1] {echo.phase = "forward"} : (tensor<2xui64>) -> tensor<1xui64>
    %c_8 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<ui64>
    %8 = stablehlo.reduce(%7 init: %c_8) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<1xui64>, tensor<ui64>) -> tensor<ui64>
    %9 = stablehlo.multiply %5, %cst {echo.phase = "forward"} : tensor<16xf32>
    %10 = stablehlo.select %3, %9, %cst_1 {echo.phase = "forward"} : tensor<16xi1>, tensor<16xf32>
    %11 = stablehlo.convert %8 {echo.phase = "forward"} : (tensor<ui64>) -> tensor<i32>
    %12 = "stablehlo.case"(%11) ({
      stablehlo.return %6#1 {echo.phase = "forward"} : tensor<16xf32>
    }, {
      %51 = stablehlo.multiply %6#1, %10 {echo.phase = "forward"} : tensor<16xf32>
      stablehlo.return %51 {echo.phase = "forward"} : tensor<16xf32>
    }, {
      %51 = stablehlo.add %6#1, %10 {echo.phase = "forward"} : tensor<16xf32>
      %52 = stablehlo.tanh %51 {echo.phase = "forward"} : tensor<16xf32>
      stablehlo.return %52 {echo.phase = "forward"} : tensor<16xf32>
    }) {echo.phase = "forward"} : (tensor<i32>) -> tensor<16xf32>
    %13 = stablehlo.cbrt %12 {echo.phase = "forward"} : tensor<16xf32>
    %14 = stablehlo.abs %13 {echo.phase = "forward"} : tensor<16xf32>
    %cst_9 = stablehlo.constant {echo.phase = "forward"} dense<0xFF800000> : tensor<f32>
    %15 = "stablehlo.reduce_window"(%14, %cst_9) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.maximum %arg2, %arg3 {echo.phase = "forward"} : tensor<f32>
      stablehlo.return %51 {echo.phase = "forward"} : tensor<f32>
    }) {echo.phase = "forward"} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
    %16 = stablehlo.reduce(%15 init: %cst_9) applies stablehlo.maximum across dimensions = [0] {echo.phase = "forward"} : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %17 = stablehlo.convert %16 {echo.phase = "forward"} : (tensor<f32>) -> tensor<i32>
    %18 = "stablehlo.case"(%17) ({
      stablehlo.return %16 {echo.phase = "forward"} : tensor<f32>
    }, {
      %51 = stablehlo.negate %16 {echo.phase = "forward"} : tensor<f32>
      %52 = stablehlo.maximum %51, %16 {echo.phase = "forward"} : tensor<f32>
      stablehlo.return %52 {echo.phase = "forward"} : tensor<f32>
    }, {
      %cst_19 = stablehlo.constant {echo.phase = "forward"} dense<5.000000e-01> : tensor<f32>
      %51 = stablehlo.multiply %16, %cst_19 {echo.phase = "forward"} : tensor<f32>
      %52 = stablehlo.subtract %51, %16 {echo.phase = "forward"} : tensor<f32>
      stablehlo.return %52 {echo.phase = "forward"} : tensor<f32>
    }) {echo.phase = "forward"} : (tensor<i32>) -> tensor<f32>
    %cst_10 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_10) applies stablehlo.add across dimensions = [] {echo.phase = "forward"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = stablehlo.add %19, %19 {echo.phase = "forward"} : tensor<f32>
    %21 = stablehlo.reduce(%2 init: %cst_10) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %22 = stablehlo.add %20, %21 {echo.phase = "forward"} : tensor<f32>
    %cst_11 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<16xf32>
    %23 = "stablehlo.case"(%17) ({
      %cst_19 = stablehlo.constant {echo.phase = "backward"} dense<2.000000e+00> : tensor<f32>
      stablehlo.return %cst_19 {echo.phase = "backward"} : tensor<f32>
    }, {
      %cst_19 = stablehlo.constant {echo.phase = "backward"} dense<2.000000e+00> : tensor<f32>
      %51 = stablehlo.negate %16 {echo.phase = "backward"} : tensor<f32>
      %52 = stablehlo.compare GT, %51, %16 {echo.phase = "backward"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %53 = stablehlo.compare EQ, %51, %16 {echo.phase = "backward"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_20 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<f32>
      %cst_21 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<f32>
      %54 = stablehlo.select %53, %cst_21, %cst_20 {echo.phase = "backward"} : tensor<i1>, tensor<f32>
      %55 = stablehlo.select %52, %cst_19, %54 {echo.phase = "backward"} : tensor<i1>, tensor<f32>
      %56 = stablehlo.compare GT, %16, %51 {echo.phase = "backward"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %57 = stablehlo.compare EQ, %16, %51 {echo.phase = "backward"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %58 = stablehlo.select %57, %cst_21, %cst_20 {echo.phase = "backward"} : tensor<i1>, tensor<f32>
      %59 = stablehlo.select %56, %cst_19, %58 {echo.phase = "backward"} : tensor<i1>, tensor<f32>
      %60 = stablehlo.negate %55 {echo.phase = "backward"} : tensor<f32>
      %61 = stablehlo.add %59, %60 {echo.phase = "backward"} : tensor<f32>
      stablehlo.return %61 {echo.phase = "backward"} : tensor<f32>
    }, {
      %cst_19 = stablehlo.constant {echo.phase = "backward"} dense<-1.000000e+00> : tensor<f32>
      stablehlo.return %cst_19 {echo.phase = "backward"} : tensor<f32>
    }) {echo.phase = "backward"} : (tensor<i32>) -> tensor<f32>
    %24 = stablehlo.broadcast_in_dim %16, dims = [] {echo.phase = "backward"} : (tensor<f32>) -> tensor<16xf32>
    %25 = stablehlo.compare EQ, %15, %24 {echo.phase = "backward"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %26 = stablehlo.convert %25 {echo.phase = "backward"} : (tensor<16xi1>) -> tensor<16xf32>
    %cst_12 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_12) applies stablehlo.add across dimensions = [0] {echo.phase = "backward"} : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.maximum %27, %cst_13 {echo.phase = "backward"} : tensor<f32>
    %29 = stablehlo.divide %23, %28 {echo.phase = "backward"} : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] {echo.phase = "backward"} : (tensor<f32>) -> tensor<16xf32>
    %31 = stablehlo.multiply %26, %30 {echo.phase = "backward"} : tensor<16xf32>
    %32 = "stablehlo.select_and_scatter"(%14, %31, %cst_12) <{padding = dense<0> : tensor<1x2xi64>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.compare GE, %arg2, %arg3 {echo.phase = "backward"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %51 {echo.phase = "backward"} : tensor<i1>
    }, {
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 {echo.phase = "backward"} : tensor<f32>
      stablehlo.return %51 {echo.phase = "backward"} : tensor<f32>
    }) {echo.phase = "backward"} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
    %33 = stablehlo.sign %13 {echo.phase = "backward"} : tensor<16xf32>
    %34 = stablehlo.multiply %32, %33 {echo.phase = "backward"} : tensor<16xf32>
    %35 = stablehlo.multiply %13, %13 {echo.phase = "backward"} : tensor<16xf32>
    %cst_14 = stablehlo.constant {echo.phase = "backward"} dense<3.000000e+00> : tensor<16xf32>
    %36 = stablehlo.multiply %35, %cst_14 {echo.phase = "backward"} : tensor<16xf32>
    %37 = stablehlo.divide %34, %36 {echo.phase = "backward"} : tensor<16xf32>
    %38:2 = "stablehlo.case"(%11) ({
      %cst_19 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<16xf32>
      stablehlo.return %37, %cst_19 {echo.phase = "backward"} : tensor<16xf32>, tensor<16xf32>
    }, {
      %51 = stablehlo.multiply %37, %10 {echo.phase = "backward"} : tensor<16xf32>
      %52 = stablehlo.multiply %37, %6#1 {echo.phase = "backward"} : tensor<16xf32>
      stablehlo.return %51, %52 {echo.phase = "backward"} : tensor<16xf32>, tensor<16xf32>
    }, {
      %cst_19 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<16xf32>
      %51 = stablehlo.add %6#1, %10 {echo.phase = "backward"} : tensor<16xf32>
      %52 = stablehlo.tanh %51 {echo.phase = "backward"} : tensor<16xf32>
      %53 = stablehlo.multiply %52, %52 {echo.phase = "backward"} : tensor<16xf32>
      %54 = stablehlo.subtract %cst_19, %53 {echo.phase = "backward"} : tensor<16xf32>
      %55 = stablehlo.multiply %37, %54 {echo.phase = "backward"} : tensor<16xf32>
      stablehlo.return %55, %55 {echo.phase = "backward"} : tensor<16xf32>, tensor<16xf32>
    }) {echo.phase = "backward"} : (tensor<i32>) -> (tensor<16xf32>, tensor<16xf32>)
    %cst_15 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<16xf32>
    %39 = stablehlo.select %3, %38#1, %cst_15 {echo.phase = "backward"} : tensor<16xi1>, tensor<16xf32>
    %40 = stablehlo.multiply %39, %cst {echo.phase = "backward"} : tensor<16xf32>
    %c_16 = stablehlo.constant {echo.phase = "backward"} dense<3> : tensor<i64>
    %cst_17 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<16xf32>
    %41:3 = stablehlo.while(%iterArg = %c_16, %iterArg_19 = %38#0, %iterArg_20 = %cst_17) : tensor<i64>, tensor<16xf32>, tensor<16xf32> attributes {echo.phase = "backward"}
    cond {
      %c_21 = stablehlo.constant {echo.phase = "backward"} dense<0> : tensor<i64>
      %51 = stablehlo.compare GE, %iterArg, %c_21 {echo.phase = "backward"} : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %51 {echo.phase = "backward"} : tensor<i1>
    } do {
      %cst_21 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<16xf32>
      %c_22 = stablehlo.constant {echo.phase = "backward"} dense<0> : tensor<i64>
      %51 = stablehlo.dynamic_slice %6#4, %iterArg, %c_22, sizes = [1, 16] {echo.phase = "backward"} : (tensor<4x16xf32>, tensor<i64>, tensor<i64>) -> tensor<1x16xf32>
      %52 = stablehlo.reshape %51 {echo.phase = "backward"} : (tensor<1x16xf32>) -> tensor<16xf32>
      %53 = stablehlo.add %52, %2 {echo.phase = "backward"} : tensor<16xf32>
      %54 = stablehlo.tanh %53 {echo.phase = "backward"} : tensor<16xf32>
      %55 = stablehlo.multiply %54, %54 {echo.phase = "backward"} : tensor<16xf32>
      %56 = stablehlo.subtract %cst_21, %55 {echo.phase = "backward"} : tensor<16xf32>
      %57 = stablehlo.multiply %iterArg_19, %56 {echo.phase = "backward"} : tensor<16xf32>
      %c_23 = stablehlo.constant {echo.phase = "backward"} dense<1> : tensor<i64>
      %58 = stablehlo.subtract %iterArg, %c_23 {echo.phase = "backward"} : tensor<i64>
      %59 = stablehlo.add %iterArg_20, %57 {echo.phase = "backward"} : tensor<16xf32>
      stablehlo.return %58, %57, %59 {echo.phase = "backward"} : tensor<i64>, tensor<16xf32>, tensor<16xf32>
    }
    %42 = stablehlo.add %40, %41#1 {echo.phase = "backward"} : tensor<16xf32>
    %43 = stablehlo.add %41#2, %cst_11 {echo.phase = "backward"} : tensor<16xf32>
    %44 = stablehlo.select %3, %42, %cst_15 {echo.phase = "backward"} : tensor<16xi1>, tensor<16xf32>
    %45 = stablehlo.multiply %44, %cst {echo.phase = "backward"} : tensor<16xf32>
    %46 = stablehlo.add %43, %45 {echo.phase = "backward"} : tensor<16xf32>
    %47 = stablehlo.select %0, %46, %cst_15 {echo.phase = "backward"} : tensor<16xi1>, tensor<16xf32>
    %48 = stablehlo.multiply %47, %cst {echo.phase = "backward"} : tensor<16xf32>
    %cst_18 = stablehlo.constant {echo.phase = "update"} dense<6.250000e-02> : tensor<16xf32>
    %49 = stablehlo.multiply %48, %cst_18 {echo.phase = "update"} : tensor<16xf32>
    %50 = stablehlo.subtract %arg0, %49 {echo.phase = "update"} : tensor<16xf32>
    return {echo.phase = "update"} %50, %22 : tensor<16xf32>, tensor<f32>
  }
}
