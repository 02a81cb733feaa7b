// RUN: echo-opt --echo=budget=min --to=echoed %s -o - | FileCheck %s
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --seed=1 --echo=overhead=10%% --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --echo=budget=min --to=planned %s -o - | echo-opt --verify-plan -o /dev/null

// A recurrence of 64 steps as a loop of 32 with two copies of its body, as jax.lax.scan(unroll=2) makes it. Taken is
// the loop of 64 with one copy (--roll-loops), in which what the loops hand on is decided, and what the second one lacks it makes again.
// CHECK-LABEL: func.func public @main
// CHECK:         stablehlo.while
// CHECK:         stablehlo.while
// CHECK:           echo.recompute
module @jit_step {
  func.func public @main(%arg0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<64x64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x2x64x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x2x64x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x2x64x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x2x64x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %1, %iterArg_11 = %arg0, %iterArg_12 = %arg1, %iterArg_13 = %c, %iterArg_14 = %0, %iterArg_15 = %2, %iterArg_16 = %3, %iterArg_17 = %4, %iterArg_18 = %5) : tensor<32x2x64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>
    cond {
      %c_19 = stablehlo.constant dense<32> : tensor<i32>
      %29 = stablehlo.compare LT, %iterArg_13, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %29 : tensor<i1>
    } do {
      %29 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_13) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %30 = stablehlo.slice %29 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %31 = stablehlo.reshape %30 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %32:5 = func.call @closed_call(%iterArg_11, %iterArg_12, %iterArg_14, %31) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
      %33 = stablehlo.slice %29 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %34 = stablehlo.reshape %33 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %35:5 = func.call @closed_call(%iterArg_11, %iterArg_12, %32#0, %34) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
      %36 = stablehlo.broadcast_in_dim %32#1, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %37 = stablehlo.broadcast_in_dim %35#1, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %38 = stablehlo.concatenate %36, %37, dim = 0 : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<2x64x32xf32>
      %39 = stablehlo.broadcast_in_dim %32#2, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %40 = stablehlo.broadcast_in_dim %35#2, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %41 = stablehlo.concatenate %39, %40, dim = 0 : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<2x64x32xf32>
      %42 = stablehlo.broadcast_in_dim %32#3, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %43 = stablehlo.broadcast_in_dim %35#3, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %44 = stablehlo.concatenate %42, %43, dim = 0 : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<2x64x32xf32>
      %45 = stablehlo.broadcast_in_dim %32#4, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %46 = stablehlo.broadcast_in_dim %35#4, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
      %47 = stablehlo.concatenate %45, %46, dim = 0 : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<2x64x32xf32>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_15, %38, %iterArg_13) : (tensor<32x2x64x32xf32>, tensor<2x64x32xf32>, tensor<i32>) -> tensor<32x2x64x32xf32>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_16, %41, %iterArg_13) : (tensor<32x2x64x32xf32>, tensor<2x64x32xf32>, tensor<i32>) -> tensor<32x2x64x32xf32>
      %50 = func.call @dynamic_update_index_in_dim(%iterArg_17, %44, %iterArg_13) : (tensor<32x2x64x32xf32>, tensor<2x64x32xf32>, tensor<i32>) -> tensor<32x2x64x32xf32>
      %51 = func.call @dynamic_update_index_in_dim(%iterArg_18, %47, %iterArg_13) : (tensor<32x2x64x32xf32>, tensor<2x64x32xf32>, tensor<i32>) -> tensor<32x2x64x32xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %52, %35#0, %48, %49, %50, %51 : tensor<32x2x64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>
    }
    %7 = stablehlo.reshape %6#5 : (tensor<32x2x64x32xf32>) -> tensor<64x64x32xf32>
    %8 = stablehlo.reshape %6#6 : (tensor<32x2x64x32xf32>) -> tensor<64x64x32xf32>
    %9 = stablehlo.reshape %6#7 : (tensor<32x2x64x32xf32>) -> tensor<64x64x32xf32>
    %10 = stablehlo.reshape %6#8 : (tensor<32x2x64x32xf32>) -> tensor<64x64x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %12 = stablehlo.multiply %11, %6#4 : tensor<64x32xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<64x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %17 = stablehlo.reshape %arg2 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %18 = stablehlo.reshape %7 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %19 = stablehlo.reshape %8 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %20 = stablehlo.reshape %9 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %21 = stablehlo.reshape %10 : (tensor<64x64x32xf32>) -> tensor<32x2x64x32xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %22:10 = stablehlo.while(%iterArg = %17, %iterArg_11 = %18, %iterArg_12 = %19, %iterArg_13 = %20, %iterArg_14 = %21, %iterArg_15 = %arg1, %iterArg_16 = %c_8, %iterArg_17 = %15, %iterArg_18 = %16, %iterArg_19 = %14) : tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>
    cond {
      %c_20 = stablehlo.constant dense<32> : tensor<i32>
      %29 = stablehlo.compare LT, %iterArg_16, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %29 : tensor<i1>
    } do {
      %c_20 = stablehlo.constant dense<32> : tensor<i32>
      %29 = stablehlo.subtract %c_20, %iterArg_16 : tensor<i32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %30 = stablehlo.subtract %29, %c_21 : tensor<i32>
      %31 = func.call @dynamic_index_in_dim(%iterArg, %30) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %32 = func.call @dynamic_index_in_dim(%iterArg_11, %30) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %33 = func.call @dynamic_index_in_dim(%iterArg_12, %30) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %34 = func.call @dynamic_index_in_dim(%iterArg_13, %30) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_14, %30) : (tensor<32x2x64x32xf32>, tensor<i32>) -> tensor<2x64x32xf32>
      %36 = stablehlo.slice %31 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %37 = stablehlo.reshape %36 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %38 = stablehlo.slice %32 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %39 = stablehlo.reshape %38 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %40 = stablehlo.slice %33 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %41 = stablehlo.reshape %40 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %42 = stablehlo.slice %34 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %43 = stablehlo.reshape %42 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %44 = stablehlo.slice %35 [1:2, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %45 = stablehlo.reshape %44 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %46:3 = func.call @closed_call_0(%iterArg_15, %iterArg_17, %iterArg_18, %iterArg_19, %37, %39, %41, %43, %45) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>)
      %47 = stablehlo.slice %31 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %48 = stablehlo.reshape %47 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %49 = stablehlo.slice %32 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %50 = stablehlo.reshape %49 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %51 = stablehlo.slice %33 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %52 = stablehlo.reshape %51 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %53 = stablehlo.slice %34 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %54 = stablehlo.reshape %53 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %55 = stablehlo.slice %35 [0:1, 0:64, 0:32] : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
      %56 = stablehlo.reshape %55 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %57:3 = func.call @closed_call_0(%iterArg_15, %46#0, %46#1, %46#2, %48, %50, %52, %54, %56) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>)
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %58 = stablehlo.add %iterArg_16, %c_22 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %58, %57#0, %57#1, %57#2 : tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x2x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>
    }
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %24 = stablehlo.multiply %23, %22#7 : tensor<32x32xf32>
    %25 = stablehlo.subtract %arg0, %24 : tensor<32x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %27 = stablehlo.multiply %26, %22#8 : tensor<32x32xf32>
    %28 = stablehlo.subtract %arg1, %27 : tensor<32x32xf32>
    return %25, %28 : tensor<32x32xf32>, tensor<32x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<32x2x64x32xf32>, %arg1: tensor<i32>) -> tensor<2x64x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 64, 32] : (tensor<32x2x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x64x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x64x32xf32>) -> tensor<2x64x32xf32>
    return %1 : tensor<2x64x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<64x32xf32>, %arg3: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<64x32xf32>
    %2 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %3 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %4 = stablehlo.add %2, %3 : tensor<64x32xf32>
    %5:3 = call @silu(%4) : (tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
    %6 = stablehlo.add %1, %5#0 : tensor<64x32xf32>
    return %6, %arg2, %5#1, %5#2, %4 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
  func.func private @silu(%arg0: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<64x32xf32>
    %1 = stablehlo.exponential %0 : tensor<64x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<64x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<64x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<64x32xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<64x32xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<64x32xf32>
    return %9, %8, %5 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<32x2x64x32xf32>, %arg1: tensor<2x64x32xf32>, %arg2: tensor<i32>) -> tensor<32x2x64x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x64x32xf32>) -> tensor<1x2x64x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<32x2x64x32xf32>, tensor<1x2x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x2x64x32xf32>
    return %1 : tensor<32x2x64x32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<64x32xf32>, %arg4: tensor<64x32xf32>, %arg5: tensor<64x32xf32>, %arg6: tensor<64x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>) {
    %0 = call @silu_1(%arg6, %arg7, %arg8, %arg3) : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %1 = stablehlo.dot_general %0, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %3 = stablehlo.add %arg2, %2 : tensor<32x32xf32>
    %4 = stablehlo.dot_general %0, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %5 = stablehlo.dot_general %0, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<32x32xf32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %9 = stablehlo.multiply %8, %arg3 : tensor<64x32xf32>
    %10 = stablehlo.add %4, %9 : tensor<64x32xf32>
    return %7, %3, %10 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>
  }
  func.func private @silu_1(%arg0: tensor<64x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<64x32xf32>, %arg3: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<64x32xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<64x32xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<64x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<64x32xf32>
    return %3 : tensor<64x32xf32>
  }
}
