module @jit_tensor_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}, %arg1: tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg3: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg4: tensor<8x3x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg5: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg6: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x8xf32> {jax.result_info = "result[0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}, tensor<12x8xf32> {jax.result_info = "result[0]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<8x12xf32> {jax.result_info = "result[0]['head']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<2x4x8xf32> {jax.result_info = "result[0]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<8x3x2x4xf32> {jax.result_info = "result[0]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<8x16xf32> {jax.result_info = "result[0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %1 = stablehlo.compare LT, %arg6, %0, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_0 = stablehlo.constant dense<12> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %3 = stablehlo.add %arg6, %2 : tensor<4x6xi32>
    %4 = stablehlo.select %1, %3, %arg6 : tensor<4x6xi1>, tensor<4x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %6 = "stablehlo.gather"(%arg1, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<12x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %7 = stablehlo.dot_general %arg4, %6, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x3x2x4xf32>, tensor<4x6x8xf32>) -> tensor<3x2x4x4x6xf32>
    %8 = stablehlo.transpose %7, dims = [0, 3, 4, 1, 2] : (tensor<3x2x4x4x6xf32>) -> tensor<3x4x6x2x4xf32>
    %9 = stablehlo.slice %8 [0:1, 0:4, 0:6, 0:2, 0:4] : (tensor<3x4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4x6x2x4xf32>) -> tensor<4x6x2x4xf32>
    %11 = stablehlo.slice %8 [1:2, 0:4, 0:6, 0:2, 0:4] : (tensor<3x4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x4x6x2x4xf32>) -> tensor<4x6x2x4xf32>
    %13 = stablehlo.slice %8 [2:3, 0:4, 0:6, 0:2, 0:4] : (tensor<3x4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x4x6x2x4xf32>) -> tensor<4x6x2x4xf32>
    %15 = stablehlo.dot_general %10, %12, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x2x4xf32>, tensor<4x6x2x4xf32>) -> tensor<4x2x6x6xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x6x6xf32>
    %17 = stablehlo.divide %15, %16 : tensor<4x2x6x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x6x6xf32>, tensor<f32>) -> tensor<4x2x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2x6xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<4x2x6xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x2x6xf32>) -> tensor<4x2x6x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<4x2x6x1xf32>) -> tensor<4x2x6x6xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<4x2x6x6xf32>
    %24 = stablehlo.exponential %23 : tensor<4x2x6x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x2x6x6xf32>, tensor<f32>) -> tensor<4x2x6xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x2x6xf32>) -> tensor<4x2x6x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<4x2x6x1xf32>) -> tensor<4x2x6x6xf32>
    %28 = stablehlo.divide %24, %27 : tensor<4x2x6x6xf32>
    %29 = stablehlo.multiply %26, %26 : tensor<4x2x6x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x6x1xf32>
    %31 = stablehlo.divide %30, %29 : tensor<4x2x6x1xf32>
    %32 = stablehlo.dot_general %14, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x2x4xf32>, tensor<4x2x6x6xf32>) -> tensor<4x2x4x6xf32>
    %33 = stablehlo.dot_general %32, %arg3, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x6xf32>, tensor<2x4x8xf32>) -> tensor<4x6x8xf32>
    %34 = stablehlo.add %6, %33 : tensor<4x6x8xf32>
    %35 = sdy.sharding_constraint %34 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xf32>
    %36 = stablehlo.dot_general %35, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %37 = stablehlo.tanh %36 : tensor<4x6x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %39 = stablehlo.subtract %38, %37 : tensor<4x6x16xf32>
    %40 = stablehlo.dot_general %37, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %41 = stablehlo.add %35, %40 : tensor<4x6x8xf32>
    %42 = stablehlo.dot_general %41, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x12xf32>) -> tensor<4x6x12xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x6x12xf32>, tensor<f32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %45 = stablehlo.maximum %44, %43 : tensor<4x6xf32>
    %46 = stablehlo.is_finite %45 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %48 = stablehlo.select %46, %45, %47 : tensor<4x6xi1>, tensor<4x6xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x12xf32>
    %51 = stablehlo.subtract %42, %50 : tensor<4x6x12xf32>
    %52 = stablehlo.exponential %51 : tensor<4x6x12xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x6x12xf32>, tensor<f32>) -> tensor<4x6xf32>
    %54 = stablehlo.abs %53 : tensor<4x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %56 = stablehlo.compare GE, %53, %55, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %57 = stablehlo.log %54 : tensor<4x6xf32>
    %58 = stablehlo.add %57, %48 : tensor<4x6xf32>
    %59 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %60:2 = call @take_along_axis(%42, %59) : (tensor<4x6x12xf32>, tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>)
    %61 = stablehlo.reshape %60#0 : (tensor<4x6x1xf32>) -> tensor<4x6xf32>
    %62 = stablehlo.subtract %58, %61 : tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %64 = stablehlo.divide %63, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %65 = stablehlo.divide %cst_13, %cst_14 : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %67 = stablehlo.negate %66 : tensor<4x6xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %69 = call @take_along_axis_0(%60#1, %68) : (tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x12xf32>
    %70 = stablehlo.divide %66, %54 : tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %72 = stablehlo.select %56, %71, %70 : tensor<4x6xi1>, tensor<4x6xf32>
    %73 = stablehlo.select %56, %70, %71 : tensor<4x6xi1>, tensor<4x6xf32>
    %74 = stablehlo.negate %72 : tensor<4x6xf32>
    %75 = stablehlo.add %73, %74 : tensor<4x6xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x12xf32>
    %77 = stablehlo.multiply %76, %52 : tensor<4x6x12xf32>
    %78 = stablehlo.add %69, %77 : tensor<4x6x12xf32>
    %79 = stablehlo.dot_general %78, %41, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x12xf32>, tensor<4x6x8xf32>) -> tensor<12x8xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %81 = stablehlo.dot_general %78, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x12xf32>, tensor<8x12xf32>) -> tensor<4x6x8xf32>
    %82 = stablehlo.dot_general %81, %37, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x16xf32>) -> tensor<8x16xf32>
    %83 = stablehlo.transpose %82, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %84 = stablehlo.dot_general %81, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<16x8xf32>) -> tensor<4x6x16xf32>
    %85 = stablehlo.multiply %84, %39 : tensor<4x6x16xf32>
    %86 = stablehlo.multiply %85, %37 : tensor<4x6x16xf32>
    %87 = stablehlo.add %85, %86 : tensor<4x6x16xf32>
    %88 = stablehlo.dot_general %87, %35, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %89 = stablehlo.transpose %88, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %90 = stablehlo.dot_general %87, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<8x16xf32>) -> tensor<4x6x8xf32>
    %91 = stablehlo.add %81, %90 : tensor<4x6x8xf32>
    %92 = sdy.sharding_constraint %91 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xf32>
    %93 = stablehlo.dot_general %92, %32, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x2x4x6xf32>) -> tensor<8x2x4xf32>
    %94 = stablehlo.transpose %93, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %95 = stablehlo.dot_general %92, %arg3, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<2x4x8xf32>) -> tensor<4x6x2x4xf32>
    %96 = stablehlo.transpose %95, dims = [0, 2, 3, 1] : (tensor<4x6x2x4xf32>) -> tensor<4x2x4x6xf32>
    %97 = stablehlo.dot_general %96, %14, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x6xf32>, tensor<4x6x2x4xf32>) -> tensor<4x2x6x6xf32>
    %98 = stablehlo.dot_general %96, %28, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x6xf32>, tensor<4x2x6x6xf32>) -> tensor<4x2x4x6xf32>
    %99 = stablehlo.transpose %98, dims = [0, 3, 1, 2] : (tensor<4x2x4x6xf32>) -> tensor<4x6x2x4xf32>
    %100 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<4x2x6x1xf32>) -> tensor<4x2x6x6xf32>
    %101 = stablehlo.multiply %97, %100 : tensor<4x2x6x6xf32>
    %102 = stablehlo.multiply %101, %24 : tensor<4x2x6x6xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<4x2x6x6xf32>, tensor<f32>) -> tensor<4x2x6xf32>
    %104 = stablehlo.reshape %103 : (tensor<4x2x6xf32>) -> tensor<4x2x6x1xf32>
    %105 = stablehlo.negate %104 : tensor<4x2x6x1xf32>
    %106 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<4x2x6x1xf32>) -> tensor<4x2x6x6xf32>
    %107 = stablehlo.divide %97, %106 : tensor<4x2x6x6xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%105 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<4x2x6x1xf32>, tensor<f32>) -> tensor<4x2x6xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<4x2x6xf32>) -> tensor<4x2x6x6xf32>
    %110 = stablehlo.add %107, %109 : tensor<4x2x6x6xf32>
    %111 = stablehlo.multiply %110, %24 : tensor<4x2x6x6xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x2x6x6xf32>
    %113 = stablehlo.divide %111, %112 : tensor<4x2x6x6xf32>
    %114 = stablehlo.dot_general %113, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x6x6xf32>, tensor<4x6x2x4xf32>) -> tensor<4x2x6x4xf32>
    %115 = stablehlo.transpose %114, dims = [0, 2, 1, 3] : (tensor<4x2x6x4xf32>) -> tensor<4x6x2x4xf32>
    %116 = stablehlo.dot_general %113, %12, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x6x6xf32>, tensor<4x6x2x4xf32>) -> tensor<4x2x6x4xf32>
    %117 = stablehlo.transpose %116, dims = [0, 2, 1, 3] : (tensor<4x2x6x4xf32>) -> tensor<4x6x2x4xf32>
    %118 = stablehlo.broadcast_in_dim %99, dims = [1, 2, 3, 4] : (tensor<4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.pad %118, %cst_19, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x6x2x4xf32>, tensor<f32>) -> tensor<3x4x6x2x4xf32>
    %120 = stablehlo.broadcast_in_dim %115, dims = [1, 2, 3, 4] : (tensor<4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.pad %120, %cst_20, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x6x2x4xf32>, tensor<f32>) -> tensor<3x4x6x2x4xf32>
    %122 = stablehlo.add %119, %121 : tensor<3x4x6x2x4xf32>
    %123 = stablehlo.broadcast_in_dim %117, dims = [1, 2, 3, 4] : (tensor<4x6x2x4xf32>) -> tensor<1x4x6x2x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.pad %123, %cst_21, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x6x2x4xf32>, tensor<f32>) -> tensor<3x4x6x2x4xf32>
    %125 = stablehlo.add %122, %124 : tensor<3x4x6x2x4xf32>
    %126 = stablehlo.transpose %125, dims = [0, 3, 4, 1, 2] : (tensor<3x4x6x2x4xf32>) -> tensor<3x2x4x4x6xf32>
    %127 = stablehlo.dot_general %126, %arg4, contracting_dims = [0, 1, 2] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<3x2x4x4x6xf32>, tensor<8x3x2x4xf32>) -> tensor<4x6x8xf32>
    %128 = stablehlo.add %92, %127 : tensor<4x6x8xf32>
    %129 = stablehlo.dot_general %126, %6, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x2x4x4x6xf32>, tensor<4x6x8xf32>) -> tensor<3x2x4x8xf32>
    %130 = stablehlo.transpose %129, dims = [3, 0, 1, 2] : (tensor<3x2x4x8xf32>) -> tensor<8x3x2x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %132 = "stablehlo.scatter"(%131, %5, %128) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %151 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %151 : tensor<f32>
    }) : (tensor<12x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<12x8xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %134 = stablehlo.multiply %133, %83 : tensor<16x8xf32>
    %135 = stablehlo.subtract %arg0, %134 : tensor<16x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %137 = stablehlo.multiply %136, %132 : tensor<12x8xf32>
    %138 = stablehlo.subtract %arg1, %137 : tensor<12x8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %140 = stablehlo.multiply %139, %80 : tensor<8x12xf32>
    %141 = stablehlo.subtract %arg2, %140 : tensor<8x12xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %143 = stablehlo.multiply %142, %94 : tensor<2x4x8xf32>
    %144 = stablehlo.subtract %arg3, %143 : tensor<2x4x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x3x2x4xf32>
    %146 = stablehlo.multiply %145, %130 : tensor<8x3x2x4xf32>
    %147 = stablehlo.subtract %arg4, %146 : tensor<8x3x2x4xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %149 = stablehlo.multiply %148, %89 : tensor<8x16xf32>
    %150 = stablehlo.subtract %arg5, %149 : tensor<8x16xf32>
    return %135, %138, %141, %144, %147, %150, %64 : tensor<16x8xf32>, tensor<12x8xf32>, tensor<8x12xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<8x16xf32>, tensor<f32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x6x12xf32>, %arg1: tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x1xi1>
    %c_0 = stablehlo.constant dense<12> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x6x1xi1>, tensor<4x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x6x1xi32>) -> tensor<4x6x1x1xi32>
    %c_1 = stablehlo.constant dense<11> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x6x1x1xi1>, tensor<i1>) -> tensor<4x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x6x12xf32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x6x1xi1>, tensor<4x6x1xf32>
    return %15, %5 : tensor<4x6x1xf32>, tensor<4x6x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<4x6x1x1xi32>, %arg1: tensor<4x6x1xf32>) -> tensor<4x6x12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x12xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x12xf32>, tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x12xf32>
    return %1 : tensor<4x6x12xf32>
  }
}

