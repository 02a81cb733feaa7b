// RUN: echo-opt %s --to=planned | FileCheck %s
// RUN: echo-opt %s --echo=overhead=0% | echo-opt --to=planned | FileCheck %s --check-prefix=ECHO
// The second loop reads the stacks of the first as they stand outside of it. That they can be made carried values of it, to look at
// what else could be stacked, must not touch the step as it was written: its plan was larger then.
// CHECK: plan.temp_bytes = 15168
// ECHO: echo.off_bytes = 15168
// ECHO-SAME: plan.temp_bytes = 14400
module attributes {echo.stage = "step"} {
  func.func @main(%arg0: tensor<16x17x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1x2xui8>, %arg2: tensor<8x17xui32>, %arg3: tensor<2x3xi64>) -> (tensor<16x17x2xf32>, tensor<f32>, tensor<16x17x2xf32>, tensor<2x81xi1>) {
    %c = stablehlo.constant {echo.phase = "forward"} dense<2> : tensor<i32>
    %0 = "stablehlo.case"(%c) ({
      stablehlo.return %arg0 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }, {
      %44 = stablehlo.add %arg0, %arg0 {echo.phase = "forward"} : tensor<16x17x2xf32>
      stablehlo.return %44 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }, {
      %44 = stablehlo.add %arg0, %arg0 {echo.phase = "forward"} : tensor<16x17x2xf32>
      stablehlo.return %44 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }) {echo.phase = "forward"} : (tensor<i32>) -> tensor<16x17x2xf32>
    %cst = stablehlo.constant {echo.phase = "forward"} dense<-5.000000e-01> : tensor<16x17x9xf32>
    %1 = stablehlo.dot_general %0, %cst, batching_dims = [0] x [0], contracting_dims = [1] x [1] {echo.phase = "forward"} : (tensor<16x17x2xf32>, tensor<16x17x9xf32>) -> tensor<16x2x9xf32>
    %c_0 = stablehlo.constant {echo.phase = "forward"} dense<4> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c_0, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16x17x2xui32>)
    %c_1 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<16x17x2xui32>
    %2 = stablehlo.compare GE, %output, %c_1 {echo.phase = "forward"} : (tensor<16x17x2xui32>, tensor<16x17x2xui32>) -> tensor<16x17x2xi1>
    %cst_2 = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<16x17x2xf32>
    %3 = stablehlo.multiply %0, %cst_2 {echo.phase = "forward"} : tensor<16x17x2xf32>
    %cst_3 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<16x17x2xf32>
    %4 = stablehlo.select %2, %3, %cst_3 {echo.phase = "forward"} : tensor<16x17x2xi1>, tensor<16x17x2xf32>
    %c_4 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<2xui64>
    %output_state_5, %output_6 = stablehlo.rng_bit_generator %c_4, algorithm = PHILOX {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16x17x2xui32>)
    %5 = stablehlo.compare GE, %output_6, %c_1 {echo.phase = "forward"} : (tensor<16x17x2xui32>, tensor<16x17x2xui32>) -> tensor<16x17x2xi1>
    %6 = stablehlo.multiply %4, %cst_2 {echo.phase = "forward"} : tensor<16x17x2xf32>
    %7 = stablehlo.select %5, %6, %cst_3 {echo.phase = "forward"} : tensor<16x17x2xi1>, tensor<16x17x2xf32>
    %c_7 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i32>
    %c_8 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i64>
    %c_9 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<2xi32>
    %cst_10 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<2x16x17x2xf32>
    %cst_11 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<2x16x17x2xf32>
    %8:7 = stablehlo.while(%iterArg = %c_7, %iterArg_30 = %7, %iterArg_31 = %4, %iterArg_32 = %c_8, %iterArg_33 = %c_9, %iterArg_34 = %cst_11, %iterArg_35 = %cst_10) : tensor<i32>, tensor<16x17x2xf32>, tensor<16x17x2xf32>, tensor<i64>, tensor<2xi32>, tensor<2x16x17x2xf32>, tensor<2x16x17x2xf32> attributes {echo.phase = "forward"}
    cond {
      %c_36 = stablehlo.constant {echo.phase = "forward"} dense<2> : tensor<i32>
      %44 = stablehlo.compare LT, %iterArg, %c_36 {echo.phase = "forward"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %44 {echo.phase = "forward"} : tensor<i1>
    } do {
      %c_36 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<i64>
      %c_37 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg, %c_37 {echo.phase = "forward"} : tensor<i32>
      %45 = stablehlo.add %iterArg_30, %iterArg_31 {echo.phase = "forward"} : tensor<16x17x2xf32>
      %46 = stablehlo.tanh %45 {echo.phase = "forward"} : tensor<16x17x2xf32>
      %c_38 = stablehlo.constant {echo.phase = "forward"} dense<1> : tensor<i64>
      %47 = stablehlo.add %iterArg_32, %c_38 {echo.phase = "forward"} : tensor<i64>
      %48 = stablehlo.reshape %iterArg {echo.phase = "forward"} : (tensor<i32>) -> tensor<1xi32>
      %49 = stablehlo.dynamic_update_slice %iterArg_33, %48, %iterArg_32 {echo.phase = "forward"} : (tensor<2xi32>, tensor<1xi32>, tensor<i64>) -> tensor<2xi32>
      %50 = stablehlo.reshape %iterArg_30 {echo.phase = "forward"} : (tensor<16x17x2xf32>) -> tensor<1x16x17x2xf32>
      %51 = stablehlo.dynamic_update_slice %iterArg_34, %50, %iterArg_32, %c_36, %c_36, %c_36 {echo.phase = "forward"} : (tensor<2x16x17x2xf32>, tensor<1x16x17x2xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x16x17x2xf32>
      %52 = stablehlo.reshape %iterArg_31 {echo.phase = "forward"} : (tensor<16x17x2xf32>) -> tensor<1x16x17x2xf32>
      %53 = stablehlo.dynamic_update_slice %iterArg_35, %52, %iterArg_32, %c_36, %c_36, %c_36 {echo.phase = "forward"} : (tensor<2x16x17x2xf32>, tensor<1x16x17x2xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x16x17x2xf32>
      stablehlo.return %44, %46, %iterArg_31, %47, %49, %51, %53 {echo.phase = "forward"} : tensor<i32>, tensor<16x17x2xf32>, tensor<16x17x2xf32>, tensor<i64>, tensor<2xi32>, tensor<2x16x17x2xf32>, tensor<2x16x17x2xf32>
    }
    %c_12 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<ui32>
    %9 = stablehlo.reduce(%arg2 init: %c_12) applies stablehlo.maximum across dimensions = [0, 1] {echo.phase = "forward"} : (tensor<8x17xui32>, tensor<ui32>) -> tensor<ui32>
    %c_13 = stablehlo.constant {echo.phase = "forward"} dense<5> : tensor<4xi32>
    %10 = "stablehlo.gather"(%1, %c_13) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 9>}> {echo.phase = "forward"} : (tensor<16x2x9xf32>, tensor<4xi32>) -> tensor<4x2x9xf32>
    %11 = stablehlo.convert %9 {echo.phase = "forward"} : (tensor<ui32>) -> tensor<ui8>
    %12 = stablehlo.convert %11 {echo.phase = "forward"} : (tensor<ui8>) -> tensor<i1>
    %cst_14 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%10 init: %cst_14) applies stablehlo.add across dimensions = [2] {echo.phase = "forward"} : (tensor<4x2x9xf32>, tensor<f32>) -> tensor<4x2xf32>
    %cst_15 = stablehlo.constant {echo.phase = "forward"} dense<5.000000e-01> : tensor<4x9x2xf32>
    %14 = stablehlo.dot_general %10, %cst_15, batching_dims = [0] x [0], contracting_dims = [1] x [2] {echo.phase = "forward"} : (tensor<4x2x9xf32>, tensor<4x9x2xf32>) -> tensor<4x9x9xf32>
    %15 = stablehlo.reshape %14 {echo.phase = "forward"} : (tensor<4x9x9xf32>) -> tensor<4x81xf32>
    %16 = stablehlo.dot_general %13, %15, contracting_dims = [0] x [0] {echo.phase = "forward"} : (tensor<4x2xf32>, tensor<4x81xf32>) -> tensor<2x81xf32>
    %output_state_16, %output_17 = stablehlo.rng_bit_generator %c_4, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x81xui32>)
    %c_18 = stablehlo.constant {echo.phase = "forward"} dense<1073741824> : tensor<2x81xui32>
    %17 = stablehlo.compare GE, %output_17, %c_18 {echo.phase = "forward"} : (tensor<2x81xui32>, tensor<2x81xui32>) -> tensor<2x81xi1>
    %output_state_19, %output_20 = stablehlo.rng_bit_generator %output_state_16, algorithm = THREE_FRY {echo.phase = "forward"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x81xui32>)
    %18 = stablehlo.compare GE, %output_20, %c_18 {echo.phase = "forward"} : (tensor<2x81xui32>, tensor<2x81xui32>) -> tensor<2x81xi1>
    %cst_21 = stablehlo.constant {echo.phase = "forward"} dense<1.250000e+00> : tensor<2x81xf32>
    %19 = stablehlo.multiply %16, %cst_21 {echo.phase = "forward"} : tensor<2x81xf32>
    %cst_22 = stablehlo.constant {echo.phase = "forward"} dense<0.000000e+00> : tensor<2x81xf32>
    %20 = stablehlo.select %18, %19, %cst_22 {echo.phase = "forward"} : tensor<2x81xi1>, tensor<2x81xf32>
    %c_23 = stablehlo.constant {echo.phase = "forward"} dense<0> : tensor<6xi32>
    %cst_24 = stablehlo.constant {echo.phase = "forward"} dense<-1.750000e+00> : tensor<6x17x2xf32>
    %21 = "stablehlo.scatter"(%8#1, %c_23, %cst_24) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %44 = stablehlo.add %arg4, %arg5 {echo.phase = "forward"} : tensor<f32>
      stablehlo.return %44 {echo.phase = "forward"} : tensor<f32>
    }) {echo.phase = "forward"} : (tensor<16x17x2xf32>, tensor<6xi32>, tensor<6x17x2xf32>) -> tensor<16x17x2xf32>
    %22 = stablehlo.reduce(%21 init: %cst_14) applies stablehlo.add across dimensions = [1] {echo.phase = "forward"} : (tensor<16x17x2xf32>, tensor<f32>) -> tensor<16x2xf32>
    %23 = stablehlo.dot_general %4, %22, contracting_dims = [0] x [0] {echo.phase = "forward"} : (tensor<16x17x2xf32>, tensor<16x2xf32>) -> tensor<17x2x2xf32>
    %24 = stablehlo.concatenate %23, %23, %23, dim = 0 {echo.phase = "forward"} : (tensor<17x2x2xf32>, tensor<17x2x2xf32>, tensor<17x2x2xf32>) -> tensor<51x2x2xf32>
    %25 = stablehlo.reduce(%24 init: %cst_14) applies stablehlo.add across dimensions = [1] {echo.phase = "forward"} : (tensor<51x2x2xf32>, tensor<f32>) -> tensor<51x2xf32>
    %26 = stablehlo.convert %20 {echo.phase = "forward"} : (tensor<2x81xf32>) -> tensor<2x81xi1>
    %27 = stablehlo.select %26, %18, %17 {echo.phase = "forward"} : tensor<2x81xi1>, tensor<2x81xi1>
    %28 = stablehlo.convert %12 {echo.phase = "forward"} : (tensor<i1>) -> tensor<i32>
    %29 = "stablehlo.case"(%28) ({
      stablehlo.return %4 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }, {
      %cst_30 = stablehlo.constant {echo.phase = "forward"} dense<5.000000e-01> : tensor<16x17x2xf32>
      %44 = stablehlo.multiply %4, %cst_30 {echo.phase = "forward"} : tensor<16x17x2xf32>
      %45 = stablehlo.subtract %44, %7 {echo.phase = "forward"} : tensor<16x17x2xf32>
      stablehlo.return %45 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }, {
      %44 = stablehlo.multiply %4, %7 {echo.phase = "forward"} : tensor<16x17x2xf32>
      stablehlo.return %44 {echo.phase = "forward"} : tensor<16x17x2xf32>
    }) {echo.phase = "forward"} : (tensor<i32>) -> tensor<16x17x2xf32>
    %30 = stablehlo.reduce(%25 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] {echo.phase = "forward"} : (tensor<51x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant {echo.phase = "backward"} dense<3.000000e+00> : tensor<17x2x2xf32>
    %31 = stablehlo.dot_general %22, %cst_25, contracting_dims = [1] x [2] {echo.phase = "backward"} : (tensor<16x2xf32>, tensor<17x2x2xf32>) -> tensor<16x17x2xf32>
    %32 = stablehlo.dot_general %4, %cst_25, contracting_dims = [1, 2] x [0, 1] {echo.phase = "backward"} : (tensor<16x17x2xf32>, tensor<17x2x2xf32>) -> tensor<16x2xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 2] {echo.phase = "backward"} : (tensor<16x2xf32>) -> tensor<16x17x2xf32>
    %c_26 = stablehlo.constant {echo.phase = "backward"} dense<1> : tensor<i64>
    %cst_27 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<16x17x2xf32>
    %cst_28 = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<16x17x2xf32>
    %34:3 = stablehlo.while(%iterArg = %c_26, %iterArg_30 = %33, %iterArg_31 = %cst_28) : tensor<i64>, tensor<16x17x2xf32>, tensor<16x17x2xf32> attributes {echo.phase = "backward"}
    cond {
      %c_32 = stablehlo.constant {echo.phase = "backward"} dense<0> : tensor<i64>
      %44 = stablehlo.compare GE, %iterArg, %c_32 {echo.phase = "backward"} : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %44 {echo.phase = "backward"} : tensor<i1>
    } do {
      %c_32 = stablehlo.constant {echo.phase = "backward"} dense<1> : tensor<i64>
      %c_33 = stablehlo.constant {echo.phase = "backward"} dense<0> : tensor<i64>
      %44 = stablehlo.dynamic_slice %8#5, %iterArg, %c_33, %c_33, %c_33, sizes = [1, 16, 17, 2] {echo.phase = "backward"} : (tensor<2x16x17x2xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x16x17x2xf32>
      %45 = stablehlo.reshape %44 {echo.phase = "backward"} : (tensor<1x16x17x2xf32>) -> tensor<16x17x2xf32>
      %46 = stablehlo.dynamic_slice %8#6, %iterArg, %c_33, %c_33, %c_33, sizes = [1, 16, 17, 2] {echo.phase = "backward"} : (tensor<2x16x17x2xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x16x17x2xf32>
      %47 = stablehlo.reshape %46 {echo.phase = "backward"} : (tensor<1x16x17x2xf32>) -> tensor<16x17x2xf32>
      %48 = stablehlo.add %45, %47 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %49 = stablehlo.tanh %48 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %50 = stablehlo.multiply %49, %49 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %cst_34 = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<16x17x2xf32>
      %51 = stablehlo.subtract %cst_34, %50 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %52 = stablehlo.multiply %iterArg_30, %51 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %53 = stablehlo.add %iterArg_31, %52 {echo.phase = "backward"} : tensor<16x17x2xf32>
      %54 = stablehlo.subtract %iterArg, %c_32 {echo.phase = "backward"} : tensor<i64>
      stablehlo.return %54, %52, %53 {echo.phase = "backward"} : tensor<i64>, tensor<16x17x2xf32>, tensor<16x17x2xf32>
    }
    %35 = stablehlo.add %31, %34#2 {echo.phase = "backward"} : tensor<16x17x2xf32>
    %36 = stablehlo.select %5, %34#1, %cst_27 {echo.phase = "backward"} : tensor<16x17x2xi1>, tensor<16x17x2xf32>
    %37 = stablehlo.multiply %36, %cst_2 {echo.phase = "backward"} : tensor<16x17x2xf32>
    %38 = stablehlo.add %35, %37 {echo.phase = "backward"} : tensor<16x17x2xf32>
    %39 = stablehlo.select %2, %38, %cst_27 {echo.phase = "backward"} : tensor<16x17x2xi1>, tensor<16x17x2xf32>
    %40 = stablehlo.multiply %39, %cst_2 {echo.phase = "backward"} : tensor<16x17x2xf32>
    %41 = "stablehlo.case"(%c) ({
      stablehlo.return %40 {echo.phase = "backward"} : tensor<16x17x2xf32>
    }, {
      %44 = stablehlo.add %40, %40 {echo.phase = "backward"} : tensor<16x17x2xf32>
      stablehlo.return %44 {echo.phase = "backward"} : tensor<16x17x2xf32>
    }, {
      %44 = stablehlo.add %40, %40 {echo.phase = "backward"} : tensor<16x17x2xf32>
      stablehlo.return %44 {echo.phase = "backward"} : tensor<16x17x2xf32>
    }) {echo.phase = "backward"} : (tensor<i32>) -> tensor<16x17x2xf32>
    %cst_29 = stablehlo.constant {echo.phase = "update"} dense<6.250000e-02> : tensor<16x17x2xf32>
    %42 = stablehlo.multiply %41, %cst_29 {echo.phase = "update"} : tensor<16x17x2xf32>
    %43 = stablehlo.subtract %arg0, %42 {echo.phase = "update"} : tensor<16x17x2xf32>
    return {echo.phase = "update"} %43, %30, %29, %27 : tensor<16x17x2xf32>, tensor<f32>, tensor<16x17x2xf32>, tensor<2x81xi1>
  }
}
