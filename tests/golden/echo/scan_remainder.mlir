// RUN: echo-opt --echo=budget=min --to=echoed --device-model=gpu-a100-40g %s -o - | FileCheck %s
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --device-model=gpu-a100-40g --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --seed=1 --echo=overhead=10%% --expect=%t.npz --rtol=0 --atol=0 --quiet

// A recurrence of eleven steps as jax.lax.scan(unroll=3) writes it: a loop of three with three copies of its body, two steps behind it, and
// so its gradient, from the last step to the first. Taken are two loops of eleven with one copy (--roll-loops), and one stack between them.
// CHECK-LABEL: func.func public @main
// CHECK:         stablehlo.while
// CHECK:           stablehlo.constant {{.*}} dense<11> : tensor<i32>
// CHECK-COUNT-1:   stablehlo.tanh
// CHECK-NOT:       stablehlo.tanh
// CHECK:         stablehlo.while
// CHECK:           stablehlo.constant {{.*}} dense<11> : tensor<i32>
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %arg2: tensor<8xf32> {tf.aliasing_output = 3 : i32}, %arg3: tensor<11x4x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x8xf32> {jax.result_info = "result[1][0]"}, tensor<8x8xf32> {jax.result_info = "result[1][1]"}, tensor<8xf32> {jax.result_info = "result[1][2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.slice %arg3 [0:9, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %3 = stablehlo.slice %arg3 [9:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %4 = stablehlo.reshape %2 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:10 = stablehlo.while(%iterArg = %4, %iterArg_17 = %arg0, %iterArg_18 = %arg1, %iterArg_19 = %1, %iterArg_20 = %c, %iterArg_21 = %0, %iterArg_22 = %5, %iterArg_23 = %6, %iterArg_24 = %7, %iterArg_25 = %8) : tensor<3x3x4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>
    cond {
      %c_26 = stablehlo.constant dense<3> : tensor<i32>
      %95 = stablehlo.compare LT, %iterArg_20, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %95 : tensor<i1>
    } do {
      %95 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_20) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %96 = stablehlo.slice %95 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %97 = stablehlo.reshape %96 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %98:5 = func.call @closed_call(%iterArg_17, %iterArg_18, %iterArg_19, %iterArg_21, %97) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %99 = stablehlo.slice %95 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %100 = stablehlo.reshape %99 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %101:5 = func.call @closed_call(%iterArg_17, %iterArg_18, %iterArg_19, %98#0, %100) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %102 = stablehlo.slice %95 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %103 = stablehlo.reshape %102 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %104:5 = func.call @closed_call(%iterArg_17, %iterArg_18, %iterArg_19, %101#0, %103) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %105 = stablehlo.broadcast_in_dim %98#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %106 = stablehlo.broadcast_in_dim %101#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %107 = stablehlo.broadcast_in_dim %104#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %108 = stablehlo.concatenate %105, %106, %107, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
      %109 = stablehlo.broadcast_in_dim %98#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %110 = stablehlo.broadcast_in_dim %101#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %111 = stablehlo.broadcast_in_dim %104#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %112 = stablehlo.concatenate %109, %110, %111, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
      %113 = stablehlo.broadcast_in_dim %98#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %114 = stablehlo.broadcast_in_dim %101#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %115 = stablehlo.broadcast_in_dim %104#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %116 = stablehlo.concatenate %113, %114, %115, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
      %117 = stablehlo.broadcast_in_dim %98#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %118 = stablehlo.broadcast_in_dim %101#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %119 = stablehlo.broadcast_in_dim %104#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %120 = stablehlo.concatenate %117, %118, %119, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
      %121 = func.call @dynamic_update_index_in_dim(%iterArg_22, %108, %iterArg_20) : (tensor<3x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<3x3x4x8xf32>
      %122 = func.call @dynamic_update_index_in_dim(%iterArg_23, %112, %iterArg_20) : (tensor<3x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<3x3x4x8xf32>
      %123 = func.call @dynamic_update_index_in_dim(%iterArg_24, %116, %iterArg_20) : (tensor<3x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<3x3x4x8xf32>
      %124 = func.call @dynamic_update_index_in_dim(%iterArg_25, %120, %iterArg_20) : (tensor<3x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<3x3x4x8xf32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %125 = stablehlo.add %iterArg_20, %c_26 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_17, %iterArg_18, %iterArg_19, %125, %104#0, %121, %122, %123, %124 : tensor<3x3x4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>
    }
    %10 = stablehlo.reshape %9#6 : (tensor<3x3x4x8xf32>) -> tensor<9x4x8xf32>
    %11 = stablehlo.reshape %9#7 : (tensor<3x3x4x8xf32>) -> tensor<9x4x8xf32>
    %12 = stablehlo.reshape %9#8 : (tensor<3x3x4x8xf32>) -> tensor<9x4x8xf32>
    %13 = stablehlo.reshape %9#9 : (tensor<3x3x4x8xf32>) -> tensor<9x4x8xf32>
    %14 = stablehlo.slice %3 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %16:5 = call @closed_call(%arg0, %arg1, %1, %9#5, %15) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    %17 = stablehlo.slice %3 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %19:5 = call @closed_call(%arg0, %arg1, %1, %16#0, %18) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    %20 = stablehlo.broadcast_in_dim %16#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %21 = stablehlo.broadcast_in_dim %19#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %22 = stablehlo.concatenate %20, %21, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
    %23 = stablehlo.broadcast_in_dim %16#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %24 = stablehlo.broadcast_in_dim %19#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %25 = stablehlo.concatenate %23, %24, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
    %26 = stablehlo.broadcast_in_dim %16#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %27 = stablehlo.broadcast_in_dim %19#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %28 = stablehlo.concatenate %26, %27, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
    %29 = stablehlo.broadcast_in_dim %16#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %30 = stablehlo.broadcast_in_dim %19#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %31 = stablehlo.concatenate %29, %30, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
    %32 = stablehlo.concatenate %10, %22, dim = 0 : (tensor<9x4x8xf32>, tensor<2x4x8xf32>) -> tensor<11x4x8xf32>
    %33 = stablehlo.concatenate %11, %25, dim = 0 : (tensor<9x4x8xf32>, tensor<2x4x8xf32>) -> tensor<11x4x8xf32>
    %34 = stablehlo.concatenate %12, %28, dim = 0 : (tensor<9x4x8xf32>, tensor<2x4x8xf32>) -> tensor<11x4x8xf32>
    %35 = stablehlo.concatenate %13, %31, dim = 0 : (tensor<9x4x8xf32>, tensor<2x4x8xf32>) -> tensor<11x4x8xf32>
    %36 = stablehlo.multiply %32, %32 : tensor<11x4x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<11x4x8xf32>
    %38 = stablehlo.multiply %37, %32 : tensor<11x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%36 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<11x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<3.520000e+02> : tensor<f32>
    %40 = stablehlo.divide %39, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<3.520000e+02> : tensor<f32>
    %41 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<11x4x8xf32>
    %43 = stablehlo.multiply %42, %38 : tensor<11x4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.slice %43 [0:2, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %49 = stablehlo.slice %43 [2:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %50 = stablehlo.slice %arg3 [0:2, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %51 = stablehlo.slice %arg3 [2:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %52 = stablehlo.slice %33 [0:2, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %53 = stablehlo.slice %33 [2:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %54 = stablehlo.slice %34 [0:2, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %55 = stablehlo.slice %34 [2:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %56 = stablehlo.slice %35 [0:2, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<2x4x8xf32>
    %57 = stablehlo.slice %35 [2:11, 0:4, 0:8] : (tensor<11x4x8xf32>) -> tensor<9x4x8xf32>
    %58 = stablehlo.reshape %49 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %59 = stablehlo.reshape %51 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %60 = stablehlo.reshape %53 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %61 = stablehlo.reshape %55 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %62 = stablehlo.reshape %57 : (tensor<9x4x8xf32>) -> tensor<3x3x4x8xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %63:11 = stablehlo.while(%iterArg = %58, %iterArg_17 = %59, %iterArg_18 = %60, %iterArg_19 = %61, %iterArg_20 = %62, %iterArg_21 = %arg1, %iterArg_22 = %c_13, %iterArg_23 = %45, %iterArg_24 = %46, %iterArg_25 = %47, %iterArg_26 = %44) : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>
    cond {
      %c_27 = stablehlo.constant dense<3> : tensor<i32>
      %95 = stablehlo.compare LT, %iterArg_22, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %95 : tensor<i1>
    } do {
      %c_27 = stablehlo.constant dense<3> : tensor<i32>
      %95 = stablehlo.subtract %c_27, %iterArg_22 : tensor<i32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %96 = stablehlo.subtract %95, %c_28 : tensor<i32>
      %97 = func.call @dynamic_index_in_dim(%iterArg, %96) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %98 = func.call @dynamic_index_in_dim(%iterArg_17, %96) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %99 = func.call @dynamic_index_in_dim(%iterArg_18, %96) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %100 = func.call @dynamic_index_in_dim(%iterArg_19, %96) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %101 = func.call @dynamic_index_in_dim(%iterArg_20, %96) : (tensor<3x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %102 = stablehlo.slice %97 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %103 = stablehlo.reshape %102 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %104 = stablehlo.slice %98 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %105 = stablehlo.reshape %104 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %106 = stablehlo.slice %99 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %107 = stablehlo.reshape %106 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %108 = stablehlo.slice %100 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %109 = stablehlo.reshape %108 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %110 = stablehlo.slice %101 [2:3, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %111 = stablehlo.reshape %110 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %112:4 = func.call @closed_call_0(%iterArg_21, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %103, %105, %107, %109, %111) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
      %113 = stablehlo.slice %97 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %114 = stablehlo.reshape %113 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %115 = stablehlo.slice %98 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %116 = stablehlo.reshape %115 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %117 = stablehlo.slice %99 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %118 = stablehlo.reshape %117 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %119 = stablehlo.slice %100 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %120 = stablehlo.reshape %119 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %121 = stablehlo.slice %101 [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %122 = stablehlo.reshape %121 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %123:4 = func.call @closed_call_0(%iterArg_21, %112#0, %112#1, %112#2, %112#3, %114, %116, %118, %120, %122) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
      %124 = stablehlo.slice %97 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %125 = stablehlo.reshape %124 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %126 = stablehlo.slice %98 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %127 = stablehlo.reshape %126 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %128 = stablehlo.slice %99 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %129 = stablehlo.reshape %128 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %130 = stablehlo.slice %100 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %131 = stablehlo.reshape %130 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %132 = stablehlo.slice %101 [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
      %133 = stablehlo.reshape %132 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %134:4 = func.call @closed_call_0(%iterArg_21, %123#0, %123#1, %123#2, %123#3, %125, %127, %129, %131, %133) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %135 = stablehlo.add %iterArg_22, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %135, %134#0, %134#1, %134#2, %134#3 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>
    }
    %64 = stablehlo.slice %48 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %65 = stablehlo.reshape %64 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %66 = stablehlo.slice %50 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %67 = stablehlo.reshape %66 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %68 = stablehlo.slice %52 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %69 = stablehlo.reshape %68 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %70 = stablehlo.slice %54 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %71 = stablehlo.reshape %70 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %72 = stablehlo.slice %56 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %73 = stablehlo.reshape %72 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %74:4 = call @closed_call_0(%arg1, %63#7, %63#8, %63#9, %63#10, %65, %67, %69, %71, %73) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %75 = stablehlo.slice %48 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %76 = stablehlo.reshape %75 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %77 = stablehlo.slice %50 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %78 = stablehlo.reshape %77 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %79 = stablehlo.slice %52 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %80 = stablehlo.reshape %79 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %81 = stablehlo.slice %54 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %82 = stablehlo.reshape %81 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %83 = stablehlo.slice %56 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
    %84 = stablehlo.reshape %83 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %85:4 = call @closed_call_0(%arg1, %74#0, %74#1, %74#2, %74#3, %76, %78, %80, %82, %84) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %87 = stablehlo.multiply %86, %85#0 : tensor<8x8xf32>
    %88 = stablehlo.subtract %arg0, %87 : tensor<8x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %90 = stablehlo.multiply %89, %85#1 : tensor<8x8xf32>
    %91 = stablehlo.subtract %arg1, %90 : tensor<8x8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %93 = stablehlo.multiply %92, %85#2 : tensor<8xf32>
    %94 = stablehlo.subtract %arg2, %93 : tensor<8xf32>
    return %40, %88, %91, %94 : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x3x4x8xf32>, %arg1: tensor<i32>) -> tensor<3x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 3, 4, 8] : (tensor<3x3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x4x8xf32>) -> tensor<3x4x8xf32>
    return %1 : tensor<3x4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<1x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
    %5 = stablehlo.tanh %4 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8xf32>
    return %5, %5, %arg3, %5, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x3x4x8xf32>, %arg1: tensor<3x4x8xf32>, %arg2: tensor<i32>) -> tensor<3x3x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<3x4x8xf32>) -> tensor<1x3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x3x4x8xf32>, tensor<1x3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x3x4x8xf32>
    return %1 : tensor<3x3x4x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<4x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.reshape %4 : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.add %arg3, %6 : tensor<8xf32>
    %8 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %14 = stablehlo.add %arg1, %13 : tensor<8x8xf32>
    return %14, %10, %7, %11 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<4x8xf32>
  }
}
