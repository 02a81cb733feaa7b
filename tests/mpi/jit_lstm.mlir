module @jit_lstm_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<20x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}, %arg5: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}) -> (tensor<64xf32> {jax.result_info = "result[0]['b']"}, tensor<20x16xf32> {jax.result_info = "result[0]['e']"}, tensor<16x20xf32> {jax.result_info = "result[0]['v']"}, tensor<32x64xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %1 = stablehlo.compare LT, %arg4, %0, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %3 = stablehlo.add %arg4, %2 : tensor<6x8xi32>
    %4 = stablehlo.select %1, %3, %arg4 : tensor<6x8xi1>, tensor<6x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %6 = "stablehlo.gather"(%arg1, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<20x16xf32>, tensor<6x8x1xi32>) -> tensor<6x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x8x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %23:19 = stablehlo.while(%iterArg = %6, %iterArg_38 = %arg3, %iterArg_39 = %9, %iterArg_40 = %c_15, %iterArg_41 = %7, %iterArg_42 = %8, %iterArg_43 = %10, %iterArg_44 = %11, %iterArg_45 = %12, %iterArg_46 = %13, %iterArg_47 = %14, %iterArg_48 = %15, %iterArg_49 = %16, %iterArg_50 = %17, %iterArg_51 = %18, %iterArg_52 = %19, %iterArg_53 = %20, %iterArg_54 = %21, %iterArg_55 = %22) : tensor<6x8x16xf32>, tensor<32x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x32xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>
    cond {
      %c_56 = stablehlo.constant dense<6> : tensor<i32>
      %96 = stablehlo.compare LT, %iterArg_40, %c_56, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %96 : tensor<i1>
    } do {
      %96 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_40) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %97:15 = func.call @closed_call(%iterArg_38, %iterArg_39, %iterArg_41, %iterArg_42, %96) : (tensor<32x64xf32>, tensor<1x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %98 = func.call @dynamic_update_index_in_dim(%iterArg_43, %97#2, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %99 = func.call @dynamic_update_index_in_dim_0(%iterArg_44, %97#3, %iterArg_40) : (tensor<6x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<6x8x32xf32>
      %100 = func.call @dynamic_update_index_in_dim(%iterArg_45, %97#4, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %101 = func.call @dynamic_update_index_in_dim(%iterArg_46, %97#5, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %102 = func.call @dynamic_update_index_in_dim(%iterArg_47, %97#6, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %103 = func.call @dynamic_update_index_in_dim(%iterArg_48, %97#7, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %104 = func.call @dynamic_update_index_in_dim(%iterArg_49, %97#8, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %105 = func.call @dynamic_update_index_in_dim(%iterArg_50, %97#9, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %106 = func.call @dynamic_update_index_in_dim(%iterArg_51, %97#10, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %107 = func.call @dynamic_update_index_in_dim(%iterArg_52, %97#11, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %108 = func.call @dynamic_update_index_in_dim(%iterArg_53, %97#12, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %109 = func.call @dynamic_update_index_in_dim(%iterArg_54, %97#13, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %110 = func.call @dynamic_update_index_in_dim(%iterArg_55, %97#14, %iterArg_40) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %c_56 = stablehlo.constant dense<1> : tensor<i32>
      %111 = stablehlo.add %iterArg_40, %c_56 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_38, %iterArg_39, %111, %97#0, %97#1, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110 : tensor<6x8x16xf32>, tensor<32x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x32xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>
    }
    %24 = stablehlo.reshape %23#6 : (tensor<6x8x16xf32>) -> tensor<48x16xf32>
    %25 = stablehlo.dot_general %24, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x16xf32>, tensor<16x20xf32>) -> tensor<48x20xf32>
    %26 = stablehlo.reshape %arg5 : (tensor<6x8xi32>) -> tensor<48xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<48xi32>) -> tensor<48x1xi32>
    %28:2 = call @take_along_axis(%25, %27) : (tensor<48x20xf32>, tensor<48x1xi32>) -> (tensor<48x1xf32>, tensor<48x1x1xi32>)
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %29:2 = call @_take(%28#0, %c_16) : (tensor<48x1xf32>, tensor<i32>) -> (tensor<48xf32>, tensor<1xi32>)
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.reduce(%25 init: %cst_17) applies stablehlo.maximum across dimensions = [1] : (tensor<48x20xf32>, tensor<f32>) -> tensor<48xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<48xf32>
    %33 = stablehlo.is_finite %32 : (tensor<48xf32>) -> tensor<48xi1>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %35 = stablehlo.select %33, %32, %34 : tensor<48xi1>, tensor<48xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x20xf32>
    %38 = stablehlo.subtract %25, %37 : tensor<48x20xf32>
    %39 = stablehlo.exponential %38 : tensor<48x20xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<48x20xf32>, tensor<f32>) -> tensor<48xf32>
    %41 = stablehlo.abs %40 : tensor<48xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %43 = stablehlo.compare GE, %40, %42, FLOAT : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xi1>
    %44 = stablehlo.log %41 : tensor<48xf32>
    %45 = stablehlo.add %44, %35 : tensor<48xf32>
    %46 = stablehlo.subtract %45, %29#0 : tensor<48xf32>
    %47 = stablehlo.reshape %arg5 : (tensor<6x8xi32>) -> tensor<48xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<48xi32>
    %49 = stablehlo.compare NE, %47, %48, SIGNED : (tensor<48xi32>, tensor<48xi32>) -> tensor<48xi1>
    %50 = stablehlo.convert %49 : (tensor<48xi1>) -> tensor<48xf32>
    %51 = stablehlo.multiply %46, %50 : tensor<48xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<48xf32>, tensor<f32>) -> tensor<f32>
    %53 = stablehlo.convert %49 : (tensor<48xi1>) -> tensor<48xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.reduce(%53 init: %c_24) applies stablehlo.add across dimensions = [0] : (tensor<48xi32>, tensor<i32>) -> tensor<i32>
    %55 = stablehlo.convert %54 : (tensor<i32>) -> tensor<f32>
    %56 = stablehlo.divide %52, %55 : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.divide %cst_25, %55 : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %59 = stablehlo.multiply %58, %50 : tensor<48xf32>
    %60 = stablehlo.negate %59 : tensor<48xf32>
    %61 = stablehlo.divide %59, %41 : tensor<48xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %63 = stablehlo.select %43, %62, %61 : tensor<48xi1>, tensor<48xf32>
    %64 = stablehlo.select %43, %61, %62 : tensor<48xi1>, tensor<48xf32>
    %65 = stablehlo.negate %63 : tensor<48xf32>
    %66 = stablehlo.add %64, %65 : tensor<48xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<48xf32>) -> tensor<48x20xf32>
    %68 = stablehlo.multiply %67, %39 : tensor<48x20xf32>
    %69 = call @_take_1(%29#1, %60) : (tensor<1xi32>, tensor<48xf32>) -> tensor<48x1xf32>
    %70 = call @take_along_axis_2(%28#1, %69) : (tensor<48x1x1xi32>, tensor<48x1xf32>) -> tensor<48x20xf32>
    %71 = stablehlo.add %68, %70 : tensor<48x20xf32>
    %72 = stablehlo.dot_general %71, %24, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x20xf32>, tensor<48x16xf32>) -> tensor<20x16xf32>
    %73 = stablehlo.transpose %72, dims = [1, 0] : (tensor<20x16xf32>) -> tensor<16x20xf32>
    %74 = stablehlo.dot_general %71, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x20xf32>, tensor<16x20xf32>) -> tensor<48x16xf32>
    %75 = stablehlo.reshape %74 : (tensor<48x16xf32>) -> tensor<6x8x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6x8x16xf32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %81:20 = stablehlo.while(%iterArg = %75, %iterArg_38 = %23#7, %iterArg_39 = %23#8, %iterArg_40 = %23#9, %iterArg_41 = %23#10, %iterArg_42 = %23#11, %iterArg_43 = %23#12, %iterArg_44 = %23#13, %iterArg_45 = %23#14, %iterArg_46 = %23#15, %iterArg_47 = %23#16, %iterArg_48 = %23#17, %iterArg_49 = %23#18, %iterArg_50 = %arg3, %iterArg_51 = %c_32, %iterArg_52 = %78, %iterArg_53 = %79, %iterArg_54 = %76, %iterArg_55 = %77, %iterArg_56 = %80) : tensor<6x8x16xf32>, tensor<6x8x32xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<32x64xf32>, tensor<i32>, tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<6x8x16xf32>
    cond {
      %c_57 = stablehlo.constant dense<6> : tensor<i32>
      %96 = stablehlo.compare LT, %iterArg_51, %c_57, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %96 : tensor<i1>
    } do {
      %c_57 = stablehlo.constant dense<6> : tensor<i32>
      %96 = stablehlo.subtract %c_57, %iterArg_51 : tensor<i32>
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %97 = stablehlo.subtract %96, %c_58 : tensor<i32>
      %98 = func.call @dynamic_index_in_dim(%iterArg, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %99 = func.call @dynamic_index_in_dim_3(%iterArg_38, %97) : (tensor<6x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %100 = func.call @dynamic_index_in_dim(%iterArg_39, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %101 = func.call @dynamic_index_in_dim(%iterArg_40, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %102 = func.call @dynamic_index_in_dim(%iterArg_41, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %103 = func.call @dynamic_index_in_dim(%iterArg_42, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %104 = func.call @dynamic_index_in_dim(%iterArg_43, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %105 = func.call @dynamic_index_in_dim(%iterArg_44, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %106 = func.call @dynamic_index_in_dim(%iterArg_45, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %107 = func.call @dynamic_index_in_dim(%iterArg_46, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %108 = func.call @dynamic_index_in_dim(%iterArg_47, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %109 = func.call @dynamic_index_in_dim(%iterArg_48, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %110 = func.call @dynamic_index_in_dim(%iterArg_49, %97) : (tensor<6x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %111:5 = func.call @closed_call_4(%iterArg_50, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110) : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %112 = func.call @dynamic_update_index_in_dim(%iterArg_56, %111#4, %97) : (tensor<6x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<6x8x16xf32>
      %c_59 = stablehlo.constant dense<1> : tensor<i32>
      %113 = stablehlo.add %iterArg_51, %c_59 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %113, %111#0, %111#1, %111#2, %111#3, %112 : tensor<6x8x16xf32>, tensor<6x8x32xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<6x8x16xf32>, tensor<32x64xf32>, tensor<i32>, tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<6x8x16xf32>
    }
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<20x16xf32>
    %83 = "stablehlo.scatter"(%82, %5, %81#19) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %96 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %96 : tensor<f32>
    }) : (tensor<20x16xf32>, tensor<6x8x1xi32>, tensor<6x8x16xf32>) -> tensor<20x16xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %85 = stablehlo.multiply %84, %81#16 : tensor<64xf32>
    %86 = stablehlo.subtract %arg0, %85 : tensor<64xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<20x16xf32>
    %88 = stablehlo.multiply %87, %83 : tensor<20x16xf32>
    %89 = stablehlo.subtract %arg1, %88 : tensor<20x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %91 = stablehlo.multiply %90, %73 : tensor<16x20xf32>
    %92 = stablehlo.subtract %arg2, %91 : tensor<16x20xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %94 = stablehlo.multiply %93, %81#15 : tensor<32x64xf32>
    %95 = stablehlo.subtract %arg3, %94 : tensor<32x64xf32>
    return %86, %89, %92, %95, %56 : tensor<64xf32>, tensor<20x16xf32>, tensor<16x20xf32>, tensor<32x64xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<6x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x64xf32>, %arg1: tensor<1x64xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.concatenate %arg4, %arg2, dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<8x64xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x64xf32>
    %4 = stablehlo.slice %3 [0:8, 0:16] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %5 = stablehlo.slice %3 [0:8, 16:32] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %6 = stablehlo.slice %3 [0:8, 32:48] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.slice %3 [0:8, 48:64] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %8 = stablehlo.negate %5 : tensor<8x16xf32>
    %9 = stablehlo.exponential %8 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %11 = stablehlo.add %10, %9 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.divide %12, %11 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x16xf32>
    %16 = stablehlo.multiply %13, %15 : tensor<8x16xf32>
    %17 = stablehlo.multiply %13, %arg3 : tensor<8x16xf32>
    %18 = stablehlo.negate %4 : tensor<8x16xf32>
    %19 = stablehlo.exponential %18 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %21 = stablehlo.add %20, %19 : tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %23 = stablehlo.divide %22, %21 : tensor<8x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %25 = stablehlo.subtract %24, %23 : tensor<8x16xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<8x16xf32>
    %27 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %29 = stablehlo.subtract %28, %27 : tensor<8x16xf32>
    %30 = stablehlo.multiply %23, %27 : tensor<8x16xf32>
    %31 = stablehlo.add %17, %30 : tensor<8x16xf32>
    %32 = stablehlo.negate %7 : tensor<8x16xf32>
    %33 = stablehlo.exponential %32 : tensor<8x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %35 = stablehlo.add %34, %33 : tensor<8x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %37 = stablehlo.divide %36, %35 : tensor<8x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %39 = stablehlo.subtract %38, %37 : tensor<8x16xf32>
    %40 = stablehlo.multiply %37, %39 : tensor<8x16xf32>
    %41 = stablehlo.tanh %31 : tensor<8x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %43 = stablehlo.subtract %42, %41 : tensor<8x16xf32>
    %44 = stablehlo.multiply %37, %41 : tensor<8x16xf32>
    return %44, %31, %44, %0, %16, %arg3, %13, %26, %27, %29, %23, %40, %41, %43, %37 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<6x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x16xf32>
    return %1 : tensor<6x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<6x8x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<i32>) -> tensor<6x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x32xf32>
    return %1 : tensor<6x8x32xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<48x20xf32>, %arg1: tensor<48x1xi32>) -> (tensor<48x1xf32>, tensor<48x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<48x1xi32>, tensor<48x1xi32>) -> tensor<48x1xi1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<48x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<48x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<48x1xi1>, tensor<48x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<48x1xi32>) -> tensor<48x1x1xi32>
    %c_1 = stablehlo.constant dense<19> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<48x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<48x1x1xi32>, tensor<48x1x1xi32>) -> tensor<48x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<48x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<48x1x1xi32>, tensor<48x1x1xi32>) -> tensor<48x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<48x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<48x1x1xi1>, tensor<i1>) -> tensor<48x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<48x20xf32>, tensor<48x1x1xi32>) -> tensor<48x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<48x1xi1>, tensor<48x1xf32>
    return %15, %5 : tensor<48x1xf32>, tensor<48x1x1xi32>
  }
  func.func private @_take(%arg0: tensor<48x1xf32>, %arg1: tensor<i32>) -> (tensor<48xf32>, tensor<1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = call @_where(%0, %1, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %4 = stablehlo.convert %3 : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.compare LE, %4, %c_1, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %8 = stablehlo.and %6, %7 : tensor<1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_3) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 48, 1>}> : (tensor<48x1xf32>, tensor<1xi32>) -> tensor<48xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<48xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<48xi1>, tensor<48xf32>
    return %13, %3 : tensor<48xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take_1(%arg0: tensor<1xi32>, %arg1: tensor<48xf32>) -> tensor<48x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<48x1xf32>, tensor<1xi32>, tensor<48xf32>) -> tensor<48x1xf32>
    return %1 : tensor<48x1xf32>
  }
  func.func private @take_along_axis_2(%arg0: tensor<48x1x1xi32>, %arg1: tensor<48x1xf32>) -> tensor<48x20xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x20xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<48x20xf32>, tensor<48x1x1xi32>, tensor<48x1xf32>) -> tensor<48x20xf32>
    return %1 : tensor<48x20xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<6x8x32xf32>, %arg1: tensor<i32>) -> tensor<8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 32] : (tensor<6x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<32x64xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<8x32xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<8x16xf32>, %arg15: tensor<8x16xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<8x16xf32>) -> (tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.add %arg3, %arg5 : tensor<8x16xf32>
    %1 = stablehlo.multiply %arg17, %0 : tensor<8x16xf32>
    %2 = stablehlo.multiply %0, %arg15 : tensor<8x16xf32>
    %3 = stablehlo.multiply %1, %arg16 : tensor<8x16xf32>
    %4 = stablehlo.add %arg4, %3 : tensor<8x16xf32>
    %5 = stablehlo.multiply %3, %arg15 : tensor<8x16xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x16xf32>
    %7 = stablehlo.multiply %2, %arg14 : tensor<8x16xf32>
    %8 = stablehlo.multiply %arg13, %6 : tensor<8x16xf32>
    %9 = stablehlo.multiply %6, %arg11 : tensor<8x16xf32>
    %10 = stablehlo.multiply %8, %arg12 : tensor<8x16xf32>
    %11 = stablehlo.multiply %10, %arg11 : tensor<8x16xf32>
    %12 = stablehlo.add %10, %11 : tensor<8x16xf32>
    %13 = stablehlo.multiply %9, %arg10 : tensor<8x16xf32>
    %14 = stablehlo.multiply %arg9, %6 : tensor<8x16xf32>
    %15 = stablehlo.multiply %6, %arg8 : tensor<8x16xf32>
    %16 = stablehlo.multiply %15, %arg7 : tensor<8x16xf32>
    %17 = stablehlo.concatenate %13, %16, %12, %7, dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<64xf32>
    %19 = stablehlo.reshape %18 : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %21 = stablehlo.add %arg2, %20 : tensor<64xf32>
    %22 = stablehlo.dot_general %17, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %24 = stablehlo.add %arg1, %23 : tensor<32x64xf32>
    %25 = stablehlo.dot_general %17, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<32x64xf32>) -> tensor<8x32xf32>
    %26 = stablehlo.slice %25 [0:8, 0:16] : (tensor<8x32xf32>) -> tensor<8x16xf32>
    %27 = stablehlo.slice %25 [0:8, 16:32] : (tensor<8x32xf32>) -> tensor<8x16xf32>
    return %24, %21, %27, %14, %26 : tensor<32x64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
}
