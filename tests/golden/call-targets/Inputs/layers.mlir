module @layers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x16x16xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<64x16xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<6x16x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x64x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x64x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x64x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x64x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:8 = stablehlo.while(%iterArg = %arg0, %iterArg_18 = %c, %iterArg_19 = %arg1, %iterArg_20 = %0, %iterArg_21 = %1, %iterArg_22 = %2, %iterArg_23 = %3, %iterArg_24 = %4) : tensor<6x16x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>
    cond {
      %c_25 = stablehlo.constant dense<6> : tensor<i32>
      %74 = stablehlo.compare LT, %iterArg_18, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %74 : tensor<i1>
    } do {
      %74 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_18) : (tensor<6x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %75:6 = func.call @closed_call(%iterArg_19, %74) : (tensor<64x16xf32>, tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %largest = stablehlo.reduce(%75#0 init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
      stablehlo.custom_call @append_csv(%largest) {api_version = 4 : i32, backend_config = {path = "layers.csv"}, has_side_effect = true} : (tensor<64xf32>) -> ()
      %76 = func.call @dynamic_update_index_in_dim(%iterArg_20, %75#1, %iterArg_18) : (tensor<6x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<6x64x16xf32>
      %77 = func.call @dynamic_update_index_in_dim(%iterArg_21, %75#2, %iterArg_18) : (tensor<6x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<6x64x16xf32>
      %78 = func.call @dynamic_update_index_in_dim(%iterArg_22, %75#3, %iterArg_18) : (tensor<6x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<6x64x16xf32>
      %79 = func.call @dynamic_update_index_in_dim(%iterArg_23, %75#4, %iterArg_18) : (tensor<6x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<6x64x16xf32>
      %80 = func.call @dynamic_update_index_in_dim(%iterArg_24, %75#5, %iterArg_18) : (tensor<6x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<6x64x16xf32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %81 = stablehlo.add %iterArg_18, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %81, %75#0, %76, %77, %78, %79, %80 : tensor<6x16x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>
    }
    %6 = stablehlo.slice %arg0 [0:1, 0:16, 0:16] : (tensor<6x16x16xf32>) -> tensor<1x16x16xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %8 = stablehlo.dot_general %5#2, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %9 = stablehlo.tanh %8 : tensor<64x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %11 = stablehlo.subtract %10, %9 : tensor<64x16xf32>
    %12 = stablehlo.custom_call @median_filter(%9) {backend_config = "", mhlo.backend_config = {width = 3 : i64}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %13 = stablehlo.multiply %9, %12 : tensor<64x16xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
    stablehlo.custom_call @append_csv(%14) {backend_config = "", has_side_effect = true, mhlo.backend_config = {path = "layers.csv"}, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tensor<64xf32>) -> ()
    %15 = stablehlo.slice %arg0 [1:2, 0:16, 0:16] : (tensor<6x16x16xf32>) -> tensor<1x16x16xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %17 = stablehlo.dot_general %13, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %18 = stablehlo.tanh %17 : tensor<64x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<64x16xf32>
    %21 = stablehlo.custom_call @median_filter(%18) {backend_config = "", mhlo.backend_config = {width = 3 : i64}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %22 = stablehlo.multiply %18, %21 : tensor<64x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_7) applies stablehlo.maximum across dimensions = [1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
    stablehlo.custom_call @append_csv(%23) {backend_config = "", has_side_effect = true, mhlo.backend_config = {path = "layers.csv"}, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tensor<64xf32>) -> ()
    %24 = stablehlo.slice %arg0 [2:3, 0:16, 0:16] : (tensor<6x16x16xf32>) -> tensor<1x16x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %26 = stablehlo.dot_general %22, %25, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %27 = stablehlo.tanh %26 : tensor<64x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %29 = stablehlo.subtract %28, %27 : tensor<64x16xf32>
    %30 = stablehlo.custom_call @median_filter(%27) {backend_config = "", mhlo.backend_config = {width = 3 : i64}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %31 = stablehlo.multiply %27, %30 : tensor<64x16xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_9) applies stablehlo.maximum across dimensions = [1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
    stablehlo.custom_call @append_csv(%32) {backend_config = "", has_side_effect = true, mhlo.backend_config = {path = "layers.csv"}, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tensor<64xf32>) -> ()
    %33 = stablehlo.multiply %31, %31 : tensor<64x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %36 = stablehlo.multiply %31, %35 : tensor<64x16xf32>
    %37 = stablehlo.multiply %35, %31 : tensor<64x16xf32>
    %38 = stablehlo.add %36, %37 : tensor<64x16xf32>
    %39 = stablehlo.multiply %38, %30 : tensor<64x16xf32>
    %40 = stablehlo.multiply %39, %29 : tensor<64x16xf32>
    %41 = stablehlo.multiply %40, %27 : tensor<64x16xf32>
    %42 = stablehlo.add %40, %41 : tensor<64x16xf32>
    %43 = stablehlo.dot_general %42, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
    %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %45 = stablehlo.dot_general %42, %25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.pad %46, %cst_12, low = [2, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x16x16xf32>, tensor<f32>) -> tensor<6x16x16xf32>
    %48 = stablehlo.multiply %45, %21 : tensor<64x16xf32>
    %49 = stablehlo.multiply %48, %20 : tensor<64x16xf32>
    %50 = stablehlo.multiply %49, %18 : tensor<64x16xf32>
    %51 = stablehlo.add %49, %50 : tensor<64x16xf32>
    %52 = stablehlo.dot_general %51, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
    %53 = stablehlo.transpose %52, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %54 = stablehlo.dot_general %51, %16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %55 = stablehlo.broadcast_in_dim %53, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.pad %55, %cst_13, low = [1, 0, 0], high = [4, 0, 0], interior = [0, 0, 0] : (tensor<1x16x16xf32>, tensor<f32>) -> tensor<6x16x16xf32>
    %57 = stablehlo.add %47, %56 : tensor<6x16x16xf32>
    %58 = stablehlo.multiply %54, %12 : tensor<64x16xf32>
    %59 = stablehlo.multiply %58, %11 : tensor<64x16xf32>
    %60 = stablehlo.multiply %59, %9 : tensor<64x16xf32>
    %61 = stablehlo.add %59, %60 : tensor<64x16xf32>
    %62 = stablehlo.dot_general %61, %5#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
    %63 = stablehlo.transpose %62, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %64 = stablehlo.dot_general %61, %7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.pad %65, %cst_14, low = [0, 0, 0], high = [5, 0, 0], interior = [0, 0, 0] : (tensor<1x16x16xf32>, tensor<f32>) -> tensor<6x16x16xf32>
    %67 = stablehlo.add %57, %66 : tensor<6x16x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x16x16xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %69:9 = stablehlo.while(%iterArg = %arg0, %iterArg_18 = %5#3, %iterArg_19 = %5#4, %iterArg_20 = %5#5, %iterArg_21 = %5#6, %iterArg_22 = %5#7, %iterArg_23 = %c_16, %iterArg_24 = %64, %iterArg_25 = %68) : tensor<6x16x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<6x16x16xf32>
    cond {
      %c_26 = stablehlo.constant dense<6> : tensor<i32>
      %74 = stablehlo.compare LT, %iterArg_23, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %74 : tensor<i1>
    } do {
      %c_26 = stablehlo.constant dense<6> : tensor<i32>
      %74 = stablehlo.subtract %c_26, %iterArg_23 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %75 = stablehlo.subtract %74, %c_27 : tensor<i32>
      %76 = func.call @dynamic_index_in_dim(%iterArg, %75) : (tensor<6x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %77 = func.call @dynamic_index_in_dim_0(%iterArg_18, %75) : (tensor<6x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %78 = func.call @dynamic_index_in_dim_0(%iterArg_19, %75) : (tensor<6x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %79 = func.call @dynamic_index_in_dim_0(%iterArg_20, %75) : (tensor<6x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %80 = func.call @dynamic_index_in_dim_0(%iterArg_21, %75) : (tensor<6x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %81 = func.call @dynamic_index_in_dim_0(%iterArg_22, %75) : (tensor<6x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %82:2 = func.call @closed_call_1(%iterArg_24, %76, %77, %78, %79, %80, %81) : (tensor<64x16xf32>, tensor<16x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>)
      %83 = func.call @dynamic_update_index_in_dim_2(%iterArg_25, %82#1, %75) : (tensor<6x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<6x16x16xf32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %84 = stablehlo.add %iterArg_23, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %84, %82#0, %83 : tensor<6x16x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<6x64x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<6x16x16xf32>
    }
    %70 = stablehlo.add %67, %69#8 : tensor<6x16x16xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x16x16xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<6x16x16xf32>
    %73 = stablehlo.subtract %arg0, %72 : tensor<6x16x16xf32>
    return %34, %73 : tensor<f32>, tensor<6x16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<6x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %1 = stablehlo.tanh %0 : tensor<64x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<64x16xf32>
    %4 = stablehlo.negate %1 : tensor<64x16xf32>
    %5 = stablehlo.exponential %4 : tensor<64x16xf32>
    %6 = stablehlo.sine %5 : tensor<64x16xf32>
    %7 = stablehlo.cosine %5 : tensor<64x16xf32>
    return %6, %arg0, %1, %3, %5, %7 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<6x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x16xf32>
    return %1 : tensor<6x64x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<6x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<64x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<64x16xf32>, %arg3: tensor<64x16xf32>, %arg4: tensor<64x16xf32>, %arg5: tensor<64x16xf32>, %arg6: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.multiply %arg0, %arg6 : tensor<64x16xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<64x16xf32>
    %2 = stablehlo.negate %1 : tensor<64x16xf32>
    %3 = stablehlo.multiply %2, %arg4 : tensor<64x16xf32>
    %4 = stablehlo.multiply %3, %arg3 : tensor<64x16xf32>
    %5 = stablehlo.add %3, %4 : tensor<64x16xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %8 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    return %8, %7 : tensor<64x16xf32>, tensor<16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<6x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x16x16xf32>
    return %1 : tensor<6x16x16xf32>
  }
}

