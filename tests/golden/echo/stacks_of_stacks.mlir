// RUN: echo-opt --to=step %s | echo-opt --echo="overhead=2% device=gpu-a100-40g" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: echo-run %s --outputs=%t.npz --quiet
// RUN: echo-run %t.mlir --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --device=interpreter --outputs=%t.i.npz --quiet
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.i.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t.mlir -o %t.planned.mlir
// RUN: echo-opt --verify-plan %t.planned.mlir --no-output

// Layers inside of time, as JAX writes them: tanh of a layer is its new state and its output, what the next layer begins with, and what the
// next step of time begins with; 1 - tanh is stacked too. One stack of the states is in the place of all of them, and each iteration of the
// backward loop makes the others of a step of it.
// CHECK-LABEL: func.func public @main
// CHECK:         stablehlo.while({{.*}}) : {{.*}}tensor<6x3x4x8xf32>
// CHECK-COUNT-1: stablehlo.dynamic_update_slice {{.*}} -> tensor<6x3x4x8xf32>
// CHECK-NOT:     stablehlo.dynamic_update_slice {{.*}} -> tensor<6x3x4x8xf32>
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8x8xf32>, %arg1: tensor<3x4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x8x8xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x3x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x3x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:8 = stablehlo.while(%iterArg = %arg2, %iterArg_8 = %arg0, %iterArg_9 = %c, %iterArg_10 = %arg1, %iterArg_11 = %0, %iterArg_12 = %1, %iterArg_13 = %2, %iterArg_14 = %3) : tensor<6x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<3x4x8xf32>, tensor<6x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>
    cond {
      %c_15 = stablehlo.constant dense<6> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_9, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %11:5 = func.call @closed_call(%iterArg_8, %iterArg_10, %10) : (tensor<3x8x8xf32>, tensor<3x4x8xf32>, tensor<4x8xf32>) -> (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>)
      %12 = func.call @dynamic_update_index_in_dim_3(%iterArg_11, %11#1, %iterArg_9) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %13 = func.call @dynamic_update_index_in_dim_4(%iterArg_12, %11#2, %iterArg_9) : (tensor<6x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<6x3x4x8xf32>
      %14 = func.call @dynamic_update_index_in_dim_4(%iterArg_13, %11#3, %iterArg_9) : (tensor<6x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<6x3x4x8xf32>
      %15 = func.call @dynamic_update_index_in_dim_4(%iterArg_14, %11#4, %iterArg_9) : (tensor<6x3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>) -> tensor<6x3x4x8xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_9, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %16, %11#0, %12, %13, %14, %15 : tensor<6x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<3x4x8xf32>, tensor<6x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4#4 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x8x8xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %9:8 = stablehlo.while(%iterArg = %6, %iterArg_8 = %4#5, %iterArg_9 = %4#6, %iterArg_10 = %4#7, %iterArg_11 = %arg0, %iterArg_12 = %c_7, %iterArg_13 = %8, %iterArg_14 = %7) : tensor<6x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>
    cond {
      %c_15 = stablehlo.constant dense<6> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_12, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %c_15 = stablehlo.constant dense<6> : tensor<i32>
      %10 = stablehlo.subtract %c_15, %iterArg_12 : tensor<i32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.subtract %10, %c_16 : tensor<i32>
      %12 = func.call @dynamic_index_in_dim(%iterArg, %11) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %13 = func.call @dynamic_index_in_dim_5(%iterArg_8, %11) : (tensor<6x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %14 = func.call @dynamic_index_in_dim_5(%iterArg_9, %11) : (tensor<6x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %15 = func.call @dynamic_index_in_dim_5(%iterArg_10, %11) : (tensor<6x3x4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %16:2 = func.call @closed_call_6(%iterArg_11, %iterArg_13, %iterArg_14, %12, %13, %14, %15) : (tensor<3x8x8xf32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x4x8xf32>)
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_12, %c_17 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %17, %16#0, %16#1 : tensor<6x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<6x3x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>
    }
    return %5, %9#6 : tensor<f32>, tensor<3x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x8x8xf32>, %arg1: tensor<3x4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:8 = stablehlo.while(%iterArg = %arg1, %iterArg_3 = %arg0, %iterArg_4 = %c, %iterArg_5 = %arg2, %iterArg_6 = %0, %iterArg_7 = %1, %iterArg_8 = %2, %iterArg_9 = %3) : tensor<3x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>
    cond {
      %c_10 = stablehlo.constant dense<3> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_4, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_4) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %6 = func.call @dynamic_index_in_dim_1(%iterArg_3, %iterArg_4) : (tensor<3x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %7:5 = func.call @closed_call_2(%iterArg_5, %5, %6) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_6, %7#1, %iterArg_4) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_7, %7#2, %iterArg_4) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_8, %7#3, %iterArg_4) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_9, %7#4, %iterArg_4) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_4, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %12, %7#0, %8, %9, %10, %11 : tensor<3x4x8xf32>, tensor<3x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>
    }
    return %4#4, %4#3, %4#5, %4#6, %4#7 : tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    return %2, %2, %arg0, %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<3x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    return %1 : tensor<3x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<6x3x4x8xf32>, %arg1: tensor<3x4x8xf32>, %arg2: tensor<i32>) -> tensor<6x3x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<3x4x8xf32>) -> tensor<1x3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x3x4x8xf32>, tensor<1x3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x3x4x8xf32>
    return %1 : tensor<6x3x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<6x3x4x8xf32>, %arg1: tensor<i32>) -> tensor<3x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 3, 4, 8] : (tensor<6x3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x4x8xf32>) -> tensor<3x4x8xf32>
    return %1 : tensor<3x4x8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<3x8x8xf32>, %arg1: tensor<3x8x8xf32>, %arg2: tensor<3x4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<3x4x8xf32>, %arg5: tensor<3x4x8xf32>, %arg6: tensor<3x4x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:9 = stablehlo.while(%iterArg = %arg2, %iterArg_1 = %arg0, %iterArg_2 = %arg4, %iterArg_3 = %arg5, %iterArg_4 = %arg6, %iterArg_5 = %c, %iterArg_6 = %arg3, %iterArg_7 = %0, %iterArg_8 = %1) : tensor<3x4x8xf32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>
    cond {
      %c_9 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_9 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.subtract %c_9, %iterArg_5 : tensor<i32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.subtract %4, %c_10 : tensor<i32>
      %6 = func.call @dynamic_index_in_dim_0(%iterArg, %5) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %7 = func.call @dynamic_index_in_dim_1(%iterArg_1, %5) : (tensor<3x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %8 = func.call @dynamic_index_in_dim_0(%iterArg_2, %5) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %9 = func.call @dynamic_index_in_dim_0(%iterArg_3, %5) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %10 = func.call @dynamic_index_in_dim_0(%iterArg_4, %5) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %11:3 = func.call @closed_call_7(%iterArg_6, %6, %7, %8, %9, %10) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>)
      %12 = func.call @dynamic_update_index_in_dim_8(%iterArg_7, %11#1, %5) : (tensor<3x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<3x8x8xf32>
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_8, %11#2, %5) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_5, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %14, %11#0, %12, %13 : tensor<3x4x8xf32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x8x8xf32>, tensor<3x4x8xf32>
    }
    %3 = stablehlo.add %arg1, %2#7 : tensor<3x8x8xf32>
    return %3, %2#8 : tensor<3x8x8xf32>, tensor<3x4x8xf32>
  }
  func.func private @closed_call_7(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %arg4 : tensor<4x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
    %4 = stablehlo.dot_general %3, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.dot_general %3, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %6, %5, %3 : tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<3x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<3x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x8xf32>
    return %1 : tensor<3x8x8xf32>
  }
}

