// AddressSanitizer has the same search on smaller steps.
// UNSUPPORTED: asan
// Two layers of attention in a scan as JAX 0.10.2 exports them (bench/heads/attention.py, "einsum heads first": 512 tokens of 64 features in
// 8 heads). The values' product is reached through what moves its operands: from the two orders that do not look through that, the least
// that recompute finds is 5.75 MB; from the third, which does, 3.32.
// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s
// CHECK: plan.temp_bytes = {{[1-4][0-9][0-9][0-9][0-9][0-9][0-9]}} : i64
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x64x64xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x64x64xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2x64x64xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x64x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<1x512x64xf32>, %arg5: tensor<1x512x64xf32>) -> (tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<f32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %1 = call @tril(%0) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %2:3 = call @_where(%1, %cst) : (tensor<512x512xi1>, tensor<f32>) -> (tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x8x512x512xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x512x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x512xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x8x512x512xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x1x512x64xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %12:17 = stablehlo.while(%iterArg = %arg0, %iterArg_25 = %arg1, %iterArg_26 = %arg2, %iterArg_27 = %arg3, %iterArg_28 = %2#0, %iterArg_29 = %2#2, %iterArg_30 = %c_9, %iterArg_31 = %arg4, %iterArg_32 = %3, %iterArg_33 = %4, %iterArg_34 = %5, %iterArg_35 = %6, %iterArg_36 = %7, %iterArg_37 = %8, %iterArg_38 = %9, %iterArg_39 = %10, %iterArg_40 = %11) : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<i32>, tensor<1x512x64xf32>, tensor<2x1x512x64xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x512x64xf32>
    cond {
      %c_41 = stablehlo.constant dense<2> : tensor<i32>
      %40 = stablehlo.compare LT, %iterArg_30, %c_41, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %40 : tensor<i1>
    } do {
      %40 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_30) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %41 = func.call @dynamic_index_in_dim(%iterArg_25, %iterArg_30) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %42 = func.call @dynamic_index_in_dim(%iterArg_26, %iterArg_30) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %43 = func.call @dynamic_index_in_dim(%iterArg_27, %iterArg_30) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %44:10 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_31, %40, %41, %42, %43) : (tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<1x512x64xf32>, tensor<1x512x64xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x512x64xf32>)
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_32, %44#1, %iterArg_30) : (tensor<2x1x512x64xf32>, tensor<1x512x64xf32>, tensor<i32>) -> tensor<2x1x512x64xf32>
      %46 = func.call @dynamic_update_index_in_dim_1(%iterArg_33, %44#2, %iterArg_30) : (tensor<2x1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<i32>) -> tensor<2x1x8x512x8xf32>
      %47 = func.call @dynamic_update_index_in_dim_1(%iterArg_34, %44#3, %iterArg_30) : (tensor<2x1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<i32>) -> tensor<2x1x8x512x8xf32>
      %48 = func.call @dynamic_update_index_in_dim_2(%iterArg_35, %44#4, %iterArg_30) : (tensor<2x1x8x512x512xf32>, tensor<1x8x512x512xf32>, tensor<i32>) -> tensor<2x1x8x512x512xf32>
      %49 = func.call @dynamic_update_index_in_dim_3(%iterArg_36, %44#5, %iterArg_30) : (tensor<2x1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<i32>) -> tensor<2x1x8x512x1xf32>
      %50 = func.call @dynamic_update_index_in_dim_3(%iterArg_37, %44#6, %iterArg_30) : (tensor<2x1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<i32>) -> tensor<2x1x8x512x1xf32>
      %51 = func.call @dynamic_update_index_in_dim_1(%iterArg_38, %44#7, %iterArg_30) : (tensor<2x1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<i32>) -> tensor<2x1x8x512x8xf32>
      %52 = func.call @dynamic_update_index_in_dim_2(%iterArg_39, %44#8, %iterArg_30) : (tensor<2x1x8x512x512xf32>, tensor<1x8x512x512xf32>, tensor<i32>) -> tensor<2x1x8x512x512xf32>
      %53 = func.call @dynamic_update_index_in_dim(%iterArg_40, %44#9, %iterArg_30) : (tensor<2x1x512x64xf32>, tensor<1x512x64xf32>, tensor<i32>) -> tensor<2x1x512x64xf32>
      %c_41 = stablehlo.constant dense<1> : tensor<i32>
      %54 = stablehlo.add %iterArg_30, %c_41 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %54, %44#0, %45, %46, %47, %48, %49, %50, %51, %52, %53 : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<i32>, tensor<1x512x64xf32>, tensor<2x1x512x64xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x512x64xf32>
    }
    %13 = stablehlo.subtract %12#7, %arg5 : tensor<1x512x64xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<1x512x64xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x512x64xf32>
    %16 = stablehlo.multiply %15, %13 : tensor<1x512x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x512x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %18 = stablehlo.divide %17, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x512x64xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %20 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<1x512x64xf32>
    %22 = stablehlo.multiply %21, %16 : tensor<1x512x64xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %27:21 = stablehlo.while(%iterArg = %arg2, %iterArg_25 = %12#8, %iterArg_26 = %arg0, %iterArg_27 = %arg3, %iterArg_28 = %12#9, %iterArg_29 = %12#10, %iterArg_30 = %12#11, %iterArg_31 = %12#12, %iterArg_32 = %12#13, %iterArg_33 = %12#14, %iterArg_34 = %12#15, %iterArg_35 = %arg1, %iterArg_36 = %12#16, %iterArg_37 = %2#0, %iterArg_38 = %2#1, %iterArg_39 = %c_20, %iterArg_40 = %22, %iterArg_41 = %23, %iterArg_42 = %24, %iterArg_43 = %25, %iterArg_44 = %26) : tensor<2x64x64xf32>, tensor<2x1x512x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x64x64xf32>, tensor<2x1x512x64xf32>, tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<i32>, tensor<1x512x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>
    cond {
      %c_45 = stablehlo.constant dense<2> : tensor<i32>
      %40 = stablehlo.compare LT, %iterArg_39, %c_45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %40 : tensor<i1>
    } do {
      %c_45 = stablehlo.constant dense<2> : tensor<i32>
      %40 = stablehlo.subtract %c_45, %iterArg_39 : tensor<i32>
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %41 = stablehlo.subtract %40, %c_46 : tensor<i32>
      %42 = func.call @dynamic_index_in_dim(%iterArg, %41) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %43 = func.call @dynamic_index_in_dim_4(%iterArg_25, %41) : (tensor<2x1x512x64xf32>, tensor<i32>) -> tensor<1x512x64xf32>
      %44 = func.call @dynamic_index_in_dim(%iterArg_26, %41) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %45 = func.call @dynamic_index_in_dim(%iterArg_27, %41) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %46 = func.call @dynamic_index_in_dim_5(%iterArg_28, %41) : (tensor<2x1x8x512x8xf32>, tensor<i32>) -> tensor<1x8x512x8xf32>
      %47 = func.call @dynamic_index_in_dim_5(%iterArg_29, %41) : (tensor<2x1x8x512x8xf32>, tensor<i32>) -> tensor<1x8x512x8xf32>
      %48 = func.call @dynamic_index_in_dim_6(%iterArg_30, %41) : (tensor<2x1x8x512x512xf32>, tensor<i32>) -> tensor<1x8x512x512xf32>
      %49 = func.call @dynamic_index_in_dim_7(%iterArg_31, %41) : (tensor<2x1x8x512x1xf32>, tensor<i32>) -> tensor<1x8x512x1xf32>
      %50 = func.call @dynamic_index_in_dim_7(%iterArg_32, %41) : (tensor<2x1x8x512x1xf32>, tensor<i32>) -> tensor<1x8x512x1xf32>
      %51 = func.call @dynamic_index_in_dim_5(%iterArg_33, %41) : (tensor<2x1x8x512x8xf32>, tensor<i32>) -> tensor<1x8x512x8xf32>
      %52 = func.call @dynamic_index_in_dim_6(%iterArg_34, %41) : (tensor<2x1x8x512x512xf32>, tensor<i32>) -> tensor<1x8x512x512xf32>
      %53 = func.call @dynamic_index_in_dim(%iterArg_35, %41) : (tensor<2x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %54 = func.call @dynamic_index_in_dim_4(%iterArg_36, %41) : (tensor<2x1x512x64xf32>, tensor<i32>) -> tensor<1x512x64xf32>
      %55:5 = func.call @closed_call_8(%iterArg_37, %iterArg_38, %iterArg_40, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54) : (tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<64x64xf32>, tensor<1x512x64xf32>) -> (tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
      %56 = func.call @dynamic_update_index_in_dim_10(%iterArg_41, %55#1, %41) : (tensor<2x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %57 = func.call @dynamic_update_index_in_dim_10(%iterArg_42, %55#2, %41) : (tensor<2x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %58 = func.call @dynamic_update_index_in_dim_10(%iterArg_43, %55#3, %41) : (tensor<2x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %59 = func.call @dynamic_update_index_in_dim_10(%iterArg_44, %55#4, %41) : (tensor<2x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %c_47 = stablehlo.constant dense<1> : tensor<i32>
      %60 = stablehlo.add %iterArg_39, %c_47 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %60, %55#0, %56, %57, %58, %59 : tensor<2x64x64xf32>, tensor<2x1x512x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x1xf32>, tensor<2x1x8x512x8xf32>, tensor<2x1x8x512x512xf32>, tensor<2x64x64xf32>, tensor<2x1x512x64xf32>, tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<i32>, tensor<1x512x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>
    }
    %cst_21 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %29 = stablehlo.multiply %28, %27#17 : tensor<2x64x64xf32>
    %30 = stablehlo.subtract %arg0, %29 : tensor<2x64x64xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %32 = stablehlo.multiply %31, %27#18 : tensor<2x64x64xf32>
    %33 = stablehlo.subtract %arg1, %32 : tensor<2x64x64xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %35 = stablehlo.multiply %34, %27#19 : tensor<2x64x64xf32>
    %36 = stablehlo.subtract %arg2, %35 : tensor<2x64x64xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %38 = stablehlo.multiply %37, %27#20 : tensor<2x64x64xf32>
    %39 = stablehlo.subtract %arg3, %38 : tensor<2x64x64xf32>
    return %30, %33, %36, %39, %18 : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<512x512xi1>) -> tensor<512x512xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<512x512xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512x512xi32>
    %2 = stablehlo.add %0, %1 : tensor<512x512xi32>
    %3 = stablehlo.iota dim = 1 : tensor<512x512xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<512x512xi1>, tensor<512x512xi1>
    return %6 : tensor<512x512xi1>
  }
  func.func private @_where(%arg0: tensor<512x512xi1>, %arg1: tensor<f32>) -> (tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x8x512x512xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<512x512xi1>) -> tensor<1x8x512x512xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x512x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x512x512xf32>
    return %1, %3, %2 : tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x8x512x512xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x8x512x512xi1>, %arg1: tensor<1x8x512x512xf32>, %arg2: tensor<1x512x64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x64xf32>) -> (tensor<1x512x64xf32>, tensor<1x512x64xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x512x64xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x64xf32>) -> tensor<1x512x8x8xf32>
    %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x512x64xf32>) -> tensor<1x512x8x8xf32>
    %4 = stablehlo.dot_general %arg2, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x512x64xf32>) -> tensor<1x512x8x8xf32>
    %6 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x512x8x8xf32>) -> tensor<1x8x512x8xf32>
    %7 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<1x512x8x8xf32>) -> tensor<1x8x512x8xf32>
    %8 = stablehlo.transpose %5, dims = [0, 2, 1, 3] : (tensor<1x512x8x8xf32>) -> tensor<1x8x512x8xf32>
    %9 = stablehlo.dot_general %6, %7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>) -> tensor<1x8x512x512xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x512x512xf32>
    %11 = stablehlo.divide %9, %10 : tensor<1x8x512x512xf32>
    %12 = call @_where_0(%11, %arg0, %arg1) : (tensor<1x8x512x512xf32>, tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>) -> tensor<1x8x512x512xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x8x512x512xf32>, tensor<f32>) -> tensor<1x8x512xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x512xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<1x8x512xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x8x512xf32>) -> tensor<1x8x512x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x8x512x1xf32>) -> tensor<1x8x512x512xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<1x8x512x512xf32>
    %19 = stablehlo.exponential %18 : tensor<1x8x512x512xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x8x512x512xf32>, tensor<f32>) -> tensor<1x8x512xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x8x512xf32>) -> tensor<1x8x512x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x8x512x1xf32>) -> tensor<1x8x512x512xf32>
    %23 = stablehlo.divide %19, %22 : tensor<1x8x512x512xf32>
    %24 = stablehlo.multiply %21, %21 : tensor<1x8x512x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x512x1xf32>
    %26 = stablehlo.divide %25, %24 : tensor<1x8x512x1xf32>
    %27 = stablehlo.dot_general %23, %8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x512xf32>, tensor<1x8x512x8xf32>) -> tensor<1x8x512x8xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3] : (tensor<1x8x512x8xf32>) -> tensor<1x512x8x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x512x8x8xf32>) -> tensor<1x512x64xf32>
    %30 = stablehlo.dot_general %29, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %31 = stablehlo.add %arg2, %30 : tensor<1x512x64xf32>
    return %31, %arg2, %7, %6, %19, %21, %26, %8, %23, %29 : tensor<1x512x64xf32>, tensor<1x512x64xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x1xf32>, tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>, tensor<1x512x64xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x8x512x512xf32>, %arg1: tensor<1x8x512x512xi1>, %arg2: tensor<1x8x512x512xf32>) -> tensor<1x8x512x512xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>
    return %0 : tensor<1x8x512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x1x512x64xf32>, %arg1: tensor<1x512x64xf32>, %arg2: tensor<i32>) -> tensor<2x1x512x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x512x64xf32>) -> tensor<1x1x512x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x512x64xf32>
    return %1 : tensor<2x1x512x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<2x1x8x512x8xf32>, %arg1: tensor<1x8x512x8xf32>, %arg2: tensor<i32>) -> tensor<2x1x8x512x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x8x512x8xf32>) -> tensor<1x1x8x512x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x1x8x512x8xf32>, tensor<1x1x8x512x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x8x512x8xf32>
    return %1 : tensor<2x1x8x512x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<2x1x8x512x512xf32>, %arg1: tensor<1x8x512x512xf32>, %arg2: tensor<i32>) -> tensor<2x1x8x512x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x8x512x512xf32>) -> tensor<1x1x8x512x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x1x8x512x512xf32>, tensor<1x1x8x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x8x512x512xf32>
    return %1 : tensor<2x1x8x512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x1x8x512x1xf32>, %arg1: tensor<1x8x512x1xf32>, %arg2: tensor<i32>) -> tensor<2x1x8x512x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x8x512x1xf32>) -> tensor<1x1x8x512x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x1x8x512x1xf32>, tensor<1x1x8x512x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x8x512x1xf32>
    return %1 : tensor<2x1x8x512x1xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<2x1x512x64xf32>, %arg1: tensor<i32>) -> tensor<1x512x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 512, 64] : (tensor<2x1x512x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x512x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x512x64xf32>) -> tensor<1x512x64xf32>
    return %1 : tensor<1x512x64xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<2x1x8x512x8xf32>, %arg1: tensor<i32>) -> tensor<1x8x512x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 1, 8, 512, 8] : (tensor<2x1x8x512x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x512x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x512x8xf32>) -> tensor<1x8x512x8xf32>
    return %1 : tensor<1x8x512x8xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<2x1x8x512x512xf32>, %arg1: tensor<i32>) -> tensor<1x8x512x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 1, 8, 512, 512] : (tensor<2x1x8x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x512x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x512x512xf32>) -> tensor<1x8x512x512xf32>
    return %1 : tensor<1x8x512x512xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x1x8x512x1xf32>, %arg1: tensor<i32>) -> tensor<1x8x512x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 1, 8, 512, 1] : (tensor<2x1x8x512x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x512x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x512x1xf32>) -> tensor<1x8x512x1xf32>
    return %1 : tensor<1x8x512x1xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<1x8x512x512xi1>, %arg1: tensor<1x8x512x512xf32>, %arg2: tensor<1x512x64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<1x512x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x64xf32>, %arg7: tensor<1x8x512x8xf32>, %arg8: tensor<1x8x512x8xf32>, %arg9: tensor<1x8x512x512xf32>, %arg10: tensor<1x8x512x1xf32>, %arg11: tensor<1x8x512x1xf32>, %arg12: tensor<1x8x512x8xf32>, %arg13: tensor<1x8x512x512xf32>, %arg14: tensor<64x64xf32>, %arg15: tensor<1x512x64xf32>) -> (tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg15, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<1x512x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.dot_general %arg2, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x512x64xf32>) -> tensor<1x512x8x8xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<1x512x8x8xf32>) -> tensor<1x8x512x8xf32>
    %5 = stablehlo.dot_general %4, %arg13, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x8xf32>, tensor<1x8x512x512xf32>) -> tensor<1x8x8x512xf32>
    %6 = stablehlo.transpose %5, dims = [0, 1, 3, 2] : (tensor<1x8x8x512xf32>) -> tensor<1x8x512x8xf32>
    %7 = stablehlo.dot_general %4, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x8xf32>, tensor<1x8x512x8xf32>) -> tensor<1x8x512x512xf32>
    %8 = stablehlo.broadcast_in_dim %arg11, dims = [0, 1, 2, 3] : (tensor<1x8x512x1xf32>) -> tensor<1x8x512x512xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1x8x512x512xf32>
    %10 = stablehlo.multiply %9, %arg9 : tensor<1x8x512x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<1x8x512x512xf32>, tensor<f32>) -> tensor<1x8x512xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8x512xf32>) -> tensor<1x8x512x1xf32>
    %13 = stablehlo.negate %12 : tensor<1x8x512x1xf32>
    %14 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2, 3] : (tensor<1x8x512x1xf32>) -> tensor<1x8x512x512xf32>
    %15 = stablehlo.divide %7, %14 : tensor<1x8x512x512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x8x512x1xf32>, tensor<f32>) -> tensor<8x512xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<8x512xf32>) -> tensor<1x8x512xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x8x512xf32>) -> tensor<1x8x512x512xf32>
    %19 = stablehlo.add %15, %18 : tensor<1x8x512x512xf32>
    %20 = stablehlo.multiply %19, %arg9 : tensor<1x8x512x512xf32>
    %21 = call @_where_9(%arg0, %arg1, %20) : (tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>, tensor<1x8x512x512xf32>) -> tensor<1x8x512x512xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x512x512xf32>
    %23 = stablehlo.divide %21, %22 : tensor<1x8x512x512xf32>
    %24 = stablehlo.dot_general %23, %arg8, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x512xf32>, tensor<1x8x512x8xf32>) -> tensor<1x8x512x8xf32>
    %25 = stablehlo.dot_general %23, %arg7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x8x512x512xf32>, tensor<1x8x512x8xf32>) -> tensor<1x8x512x8xf32>
    %26 = stablehlo.transpose %6, dims = [0, 2, 1, 3] : (tensor<1x8x512x8xf32>) -> tensor<1x512x8x8xf32>
    %27 = stablehlo.transpose %24, dims = [0, 2, 1, 3] : (tensor<1x8x512x8xf32>) -> tensor<1x512x8x8xf32>
    %28 = stablehlo.transpose %25, dims = [0, 2, 1, 3] : (tensor<1x8x512x8xf32>) -> tensor<1x512x8x8xf32>
    %29 = stablehlo.reshape %26 : (tensor<1x512x8x8xf32>) -> tensor<1x512x64xf32>
    %30 = stablehlo.dot_general %29, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<1x512x64xf32>) -> tensor<64x64xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %32 = stablehlo.dot_general %29, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %33 = stablehlo.add %arg2, %32 : tensor<1x512x64xf32>
    %34 = stablehlo.reshape %27 : (tensor<1x512x8x8xf32>) -> tensor<1x512x64xf32>
    %35 = stablehlo.dot_general %34, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<1x512x64xf32>) -> tensor<64x64xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %37 = stablehlo.dot_general %34, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %38 = stablehlo.add %33, %37 : tensor<1x512x64xf32>
    %39 = stablehlo.reshape %28 : (tensor<1x512x8x8xf32>) -> tensor<1x512x64xf32>
    %40 = stablehlo.dot_general %39, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<1x512x64xf32>) -> tensor<64x64xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %42 = stablehlo.dot_general %39, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x512x64xf32>, tensor<64x64xf32>) -> tensor<1x512x64xf32>
    %43 = stablehlo.add %38, %42 : tensor<1x512x64xf32>
    return %43, %36, %1, %41, %31 : tensor<1x512x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  func.func private @_where_9(%arg0: tensor<1x8x512x512xi1>, %arg1: tensor<1x8x512x512xf32>, %arg2: tensor<1x8x512x512xf32>) -> tensor<1x8x512x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x512x512xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<1x8x512x512xi1>, tensor<1x8x512x512xf32>
    return %1 : tensor<1x8x512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<2x64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<2x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x64xf32>
    return %1 : tensor<2x64x64xf32>
  }
}
