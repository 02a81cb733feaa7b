// RUN: echo-opt %s --to=echoed --echo=budget=min --device-model=gpu-a100-40g | FileCheck %s
// Loops of more than 65,536 iterations were not looked at, and all that these save for the gradient stood whole.
// CHECK: echo.off_bytes = 17920{{[0-9][0-9][0-9]}} :
// CHECK-SAME: echo.on_bytes = {{[0-9]?[0-9]?[0-9]?[0-9]}} :
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<70000x16xf32>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %arg1, %iterArg_10 = %arg0, %iterArg_11 = %c, %iterArg_12 = %0, %iterArg_13 = %1, %iterArg_14 = %2, %iterArg_15 = %3, %iterArg_16 = %4, %iterArg_17 = %5) : tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>, tensor<16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>
    cond {
      %c_18 = stablehlo.constant dense<70000> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_11, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %18:6 = func.call @closed_call(%iterArg_10, %iterArg_12, %17) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_13, %18#1, %iterArg_11) : (tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<70000x16xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_14, %18#2, %iterArg_11) : (tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<70000x16xf32>
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_15, %18#3, %iterArg_11) : (tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<70000x16xf32>
      %22 = func.call @dynamic_update_index_in_dim(%iterArg_16, %18#4, %iterArg_11) : (tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<70000x16xf32>
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_17, %18#5, %iterArg_11) : (tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<70000x16xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_11, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %24, %18#0, %19, %20, %21, %22, %23 : tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>, tensor<16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>
    }
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<70000x16xf32>
    %8 = stablehlo.multiply %6#4, %7 : tensor<70000x16xf32>
    %9 = stablehlo.multiply %7, %6#4 : tensor<70000x16xf32>
    %10 = stablehlo.add %8, %9 : tensor<70000x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %13:9 = stablehlo.while(%iterArg = %10, %iterArg_10 = %6#5, %iterArg_11 = %6#6, %iterArg_12 = %6#7, %iterArg_13 = %6#8, %iterArg_14 = %arg0, %iterArg_15 = %c_8, %iterArg_16 = %12, %iterArg_17 = %11) : tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>, tensor<16xf32>, tensor<16xf32>
    cond {
      %c_18 = stablehlo.constant dense<70000> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_15, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %c_18 = stablehlo.constant dense<70000> : tensor<i32>
      %17 = stablehlo.subtract %c_18, %iterArg_15 : tensor<i32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.subtract %17, %c_19 : tensor<i32>
      %19 = func.call @dynamic_index_in_dim(%iterArg, %18) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %20 = func.call @dynamic_index_in_dim(%iterArg_10, %18) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %21 = func.call @dynamic_index_in_dim(%iterArg_11, %18) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_12, %18) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %23 = func.call @dynamic_index_in_dim(%iterArg_13, %18) : (tensor<70000x16xf32>, tensor<i32>) -> tensor<16xf32>
      %24:2 = func.call @closed_call_0(%iterArg_14, %iterArg_16, %iterArg_17, %19, %20, %21, %22, %23) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.add %iterArg_15, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %25, %24#0, %24#1 : tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<70000x16xf32>, tensor<16xf32>, tensor<i32>, tensor<16xf32>, tensor<16xf32>
    }
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %15 = stablehlo.multiply %14, %13#7 : tensor<16xf32>
    %16 = stablehlo.subtract %arg0, %15 : tensor<16xf32>
    return %16 : tensor<16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<70000x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<70000x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<16xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<16xf32>
    %2 = stablehlo.tanh %1 : tensor<16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<16xf32>
    %5 = stablehlo.sine %2 : tensor<16xf32>
    %6 = stablehlo.cosine %2 : tensor<16xf32>
    return %2, %5, %arg1, %2, %4, %6 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<70000x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<70000x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<70000x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<70000x16xf32>
    return %1 : tensor<70000x16xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = stablehlo.multiply %arg3, %arg7 : tensor<16xf32>
    %1 = stablehlo.add %arg2, %0 : tensor<16xf32>
    %2 = stablehlo.multiply %1, %arg6 : tensor<16xf32>
    %3 = stablehlo.multiply %2, %arg5 : tensor<16xf32>
    %4 = stablehlo.add %2, %3 : tensor<16xf32>
    %5 = stablehlo.multiply %arg0, %4 : tensor<16xf32>
    %6 = stablehlo.multiply %4, %arg4 : tensor<16xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<16xf32>
    return %7, %5 : tensor<16xf32>, tensor<16xf32>
  }
}
