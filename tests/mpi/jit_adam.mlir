// AdamW with clipping by the global norm, of an MLP on four devices, as JAX writes jit with shardings (optax, donated state).
module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<12x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 1 : i32}, %arg2: tensor<32x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, %arg3: tensor<20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 3 : i32}, %arg4: tensor<20x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 4 : i32}, %arg5: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 5 : i32}, %arg6: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>, tf.aliasing_output = 6 : i32}, %arg7: tensor<12x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 7 : i32}, %arg8: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 8 : i32}, %arg9: tensor<32x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 9 : i32}, %arg10: tensor<20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 10 : i32}, %arg11: tensor<20x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 11 : i32}, %arg12: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 12 : i32}, %arg13: tensor<12x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 13 : i32}, %arg14: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 14 : i32}, %arg15: tensor<32x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 15 : i32}, %arg16: tensor<20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 16 : i32}, %arg17: tensor<20x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 17 : i32}, %arg18: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 18 : i32}, %arg19: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg20: tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<12x32xf32> {jax.result_info = "result[0][0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32xf32> {jax.result_info = "result[0][0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<32x20xf32> {jax.result_info = "result[0][1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<20xf32> {jax.result_info = "result[0][1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<20x5xf32> {jax.result_info = "result[0][2][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<5xf32> {jax.result_info = "result[0][2][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<i32> {jax.result_info = "result[1][1][0].count", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<12x32xf32> {jax.result_info = "result[1][1][0].mu[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32xf32> {jax.result_info = "result[1][1][0].mu[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<32x20xf32> {jax.result_info = "result[1][1][0].mu[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<20xf32> {jax.result_info = "result[1][1][0].mu[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<20x5xf32> {jax.result_info = "result[1][1][0].mu[2][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<5xf32> {jax.result_info = "result[1][1][0].mu[2][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<12x32xf32> {jax.result_info = "result[1][1][0].nu[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32xf32> {jax.result_info = "result[1][1][0].nu[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<32x20xf32> {jax.result_info = "result[1][1][0].nu[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<20xf32> {jax.result_info = "result[1][1][0].nu[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<20x5xf32> {jax.result_info = "result[1][1][0].nu[2][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<5xf32> {jax.result_info = "result[1][1][0].nu[2][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<f32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg19, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x12xf32>, tensor<12x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<16x32xf32>
    %4 = stablehlo.tanh %3 : tensor<16x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<16x32xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x20xf32>) -> tensor<16x20xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<16x20xf32>
    %10 = stablehlo.add %7, %9 : tensor<16x20xf32>
    %11 = stablehlo.tanh %10 : tensor<16x20xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<16x20xf32>
    %14 = stablehlo.dot_general %11, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x20xf32>, tensor<20x5xf32>) -> tensor<16x5xf32>
    %15 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<16x5xf32>
    %17 = stablehlo.add %14, %16 : tensor<16x5xf32>
    %18 = stablehlo.subtract %17, %arg20 : tensor<16x5xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<16x5xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x5xf32>
    %21 = stablehlo.multiply %20, %18 : tensor<16x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<8.000000e+01> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<8.000000e+01> : tensor<f32>
    %24 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<16x5xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<16x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<16x5xf32>, tensor<f32>) -> tensor<5xf32>
    %28 = stablehlo.reshape %27 : (tensor<5xf32>) -> tensor<1x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<5xf32>
    %30 = stablehlo.dot_general %26, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x5xf32>, tensor<16x20xf32>) -> tensor<5x20xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<5x20xf32>) -> tensor<20x5xf32>
    %32 = stablehlo.dot_general %26, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x5xf32>, tensor<20x5xf32>) -> tensor<16x20xf32>
    %33 = stablehlo.multiply %32, %13 : tensor<16x20xf32>
    %34 = stablehlo.multiply %33, %11 : tensor<16x20xf32>
    %35 = stablehlo.add %33, %34 : tensor<16x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<16x20xf32>, tensor<f32>) -> tensor<20xf32>
    %37 = stablehlo.reshape %36 : (tensor<20xf32>) -> tensor<1x20xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x20xf32>, tensor<f32>) -> tensor<20xf32>
    %39 = stablehlo.dot_general %35, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x20xf32>, tensor<16x32xf32>) -> tensor<20x32xf32>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<20x32xf32>) -> tensor<32x20xf32>
    %41 = stablehlo.dot_general %35, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x20xf32>, tensor<32x20xf32>) -> tensor<16x32xf32>
    %42 = stablehlo.multiply %41, %6 : tensor<16x32xf32>
    %43 = stablehlo.multiply %42, %4 : tensor<16x32xf32>
    %44 = stablehlo.add %42, %43 : tensor<16x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %46 = stablehlo.reshape %45 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %48 = stablehlo.dot_general %44, %arg19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<16x12xf32>) -> tensor<32x12xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<32x12xf32>) -> tensor<12x32xf32>
    %50 = chlo.square %49 : tensor<12x32xf32> -> tensor<12x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %52 = chlo.square %51 : tensor<12x32xf32> -> tensor<12x32xf32>
    %53 = stablehlo.add %50, %52 : tensor<12x32xf32>
    %54 = chlo.square %47 : tensor<32xf32> -> tensor<32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %56 = chlo.square %55 : tensor<32xf32> -> tensor<32xf32>
    %57 = stablehlo.add %54, %56 : tensor<32xf32>
    %58 = chlo.square %40 : tensor<32x20xf32> -> tensor<32x20xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %60 = chlo.square %59 : tensor<32x20xf32> -> tensor<32x20xf32>
    %61 = stablehlo.add %58, %60 : tensor<32x20xf32>
    %62 = chlo.square %38 : tensor<20xf32> -> tensor<20xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %64 = chlo.square %63 : tensor<20xf32> -> tensor<20xf32>
    %65 = stablehlo.add %62, %64 : tensor<20xf32>
    %66 = chlo.square %31 : tensor<20x5xf32> -> tensor<20x5xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %68 = chlo.square %67 : tensor<20x5xf32> -> tensor<20x5xf32>
    %69 = stablehlo.add %66, %68 : tensor<20x5xf32>
    %70 = chlo.square %29 : tensor<5xf32> -> tensor<5xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %72 = chlo.square %71 : tensor<5xf32> -> tensor<5xf32>
    %73 = stablehlo.add %70, %72 : tensor<5xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%53 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%57 init: %cst_19) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%61 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%65 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<f32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%69 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%73 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.add %cst_24, %74 : tensor<f32>
    %81 = stablehlo.add %80, %75 : tensor<f32>
    %82 = stablehlo.add %81, %76 : tensor<f32>
    %83 = stablehlo.add %82, %77 : tensor<f32>
    %84 = stablehlo.add %83, %78 : tensor<f32>
    %85 = stablehlo.add %84, %79 : tensor<f32>
    %86 = stablehlo.sqrt %85 : tensor<f32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %87 = stablehlo.compare LT, %86, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %88 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %89 = stablehlo.divide %49, %88 : tensor<12x32xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %91 = stablehlo.multiply %89, %90 : tensor<12x32xf32>
    %92 = stablehlo.select %87, %49, %91 : tensor<i1>, tensor<12x32xf32>
    %93 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %94 = stablehlo.divide %47, %93 : tensor<32xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %96 = stablehlo.multiply %94, %95 : tensor<32xf32>
    %97 = stablehlo.select %87, %47, %96 : tensor<i1>, tensor<32xf32>
    %98 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %99 = stablehlo.divide %40, %98 : tensor<32x20xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %101 = stablehlo.multiply %99, %100 : tensor<32x20xf32>
    %102 = stablehlo.select %87, %40, %101 : tensor<i1>, tensor<32x20xf32>
    %103 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %104 = stablehlo.divide %38, %103 : tensor<20xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<20xf32>
    %107 = stablehlo.select %87, %38, %106 : tensor<i1>, tensor<20xf32>
    %108 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %109 = stablehlo.divide %31, %108 : tensor<20x5xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %111 = stablehlo.multiply %109, %110 : tensor<20x5xf32>
    %112 = stablehlo.select %87, %31, %111 : tensor<i1>, tensor<20x5xf32>
    %113 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %114 = stablehlo.divide %29, %113 : tensor<5xf32>
    %cst_31 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %116 = stablehlo.multiply %114, %115 : tensor<5xf32>
    %117 = stablehlo.select %87, %29, %116 : tensor<i1>, tensor<5xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %119 = stablehlo.multiply %118, %92 : tensor<12x32xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %121 = stablehlo.multiply %120, %arg7 : tensor<12x32xf32>
    %122 = stablehlo.add %119, %121 : tensor<12x32xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %124 = stablehlo.multiply %123, %97 : tensor<32xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %126 = stablehlo.multiply %125, %arg8 : tensor<32xf32>
    %127 = stablehlo.add %124, %126 : tensor<32xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %129 = stablehlo.multiply %128, %102 : tensor<32x20xf32>
    %cst_37 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %131 = stablehlo.multiply %130, %arg9 : tensor<32x20xf32>
    %132 = stablehlo.add %129, %131 : tensor<32x20xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %134 = stablehlo.multiply %133, %107 : tensor<20xf32>
    %cst_39 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %136 = stablehlo.multiply %135, %arg10 : tensor<20xf32>
    %137 = stablehlo.add %134, %136 : tensor<20xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %139 = stablehlo.multiply %138, %112 : tensor<20x5xf32>
    %cst_41 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %141 = stablehlo.multiply %140, %arg11 : tensor<20x5xf32>
    %142 = stablehlo.add %139, %141 : tensor<20x5xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %144 = stablehlo.multiply %143, %117 : tensor<5xf32>
    %cst_43 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %146 = stablehlo.multiply %145, %arg12 : tensor<5xf32>
    %147 = stablehlo.add %144, %146 : tensor<5xf32>
    %148 = stablehlo.multiply %92, %92 : tensor<12x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %150 = stablehlo.multiply %149, %148 : tensor<12x32xf32>
    %cst_45 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %152 = stablehlo.multiply %151, %arg13 : tensor<12x32xf32>
    %153 = stablehlo.add %150, %152 : tensor<12x32xf32>
    %154 = stablehlo.multiply %97, %97 : tensor<32xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %156 = stablehlo.multiply %155, %154 : tensor<32xf32>
    %cst_47 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %158 = stablehlo.multiply %157, %arg14 : tensor<32xf32>
    %159 = stablehlo.add %156, %158 : tensor<32xf32>
    %160 = stablehlo.multiply %102, %102 : tensor<32x20xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %162 = stablehlo.multiply %161, %160 : tensor<32x20xf32>
    %cst_49 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %164 = stablehlo.multiply %163, %arg15 : tensor<32x20xf32>
    %165 = stablehlo.add %162, %164 : tensor<32x20xf32>
    %166 = stablehlo.multiply %107, %107 : tensor<20xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<20xf32>
    %cst_51 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %170 = stablehlo.multiply %169, %arg16 : tensor<20xf32>
    %171 = stablehlo.add %168, %170 : tensor<20xf32>
    %172 = stablehlo.multiply %112, %112 : tensor<20x5xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<20x5xf32>
    %cst_53 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %176 = stablehlo.multiply %175, %arg17 : tensor<20x5xf32>
    %177 = stablehlo.add %174, %176 : tensor<20x5xf32>
    %178 = stablehlo.multiply %117, %117 : tensor<5xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %180 = stablehlo.multiply %179, %178 : tensor<5xf32>
    %cst_55 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %182 = stablehlo.multiply %181, %arg18 : tensor<5xf32>
    %183 = stablehlo.add %180, %182 : tensor<5xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %184 = stablehlo.compare LT, %arg6, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_56 = stablehlo.constant dense<1> : tensor<i32>
    %185 = stablehlo.add %arg6, %c_56 : tensor<i32>
    %c_57 = stablehlo.constant dense<2147483647> : tensor<i32>
    %186 = call @_where(%184, %185, %c_57) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %187 = stablehlo.convert %186 : (tensor<i32>) -> tensor<f32>
    %188 = stablehlo.power %cst_58, %187 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %189 = stablehlo.subtract %cst_59, %188 : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %191 = stablehlo.divide %122, %190 : tensor<12x32xf32>
    %192 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %193 = stablehlo.divide %127, %192 : tensor<32xf32>
    %194 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %195 = stablehlo.divide %132, %194 : tensor<32x20xf32>
    %196 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %197 = stablehlo.divide %137, %196 : tensor<20xf32>
    %198 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %199 = stablehlo.divide %142, %198 : tensor<20x5xf32>
    %200 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %201 = stablehlo.divide %147, %200 : tensor<5xf32>
    %cst_60 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %202 = stablehlo.convert %186 : (tensor<i32>) -> tensor<f32>
    %203 = stablehlo.power %cst_60, %202 : tensor<f32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.subtract %cst_61, %203 : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %206 = stablehlo.divide %153, %205 : tensor<12x32xf32>
    %207 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %208 = stablehlo.divide %159, %207 : tensor<32xf32>
    %209 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %210 = stablehlo.divide %165, %209 : tensor<32x20xf32>
    %211 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %212 = stablehlo.divide %171, %211 : tensor<20xf32>
    %213 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %214 = stablehlo.divide %177, %213 : tensor<20x5xf32>
    %215 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %216 = stablehlo.divide %183, %215 : tensor<5xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %218 = stablehlo.add %206, %217 : tensor<12x32xf32>
    %219 = stablehlo.sqrt %218 : tensor<12x32xf32>
    %cst_63 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %221 = stablehlo.add %219, %220 : tensor<12x32xf32>
    %222 = stablehlo.divide %191, %221 : tensor<12x32xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %224 = stablehlo.add %208, %223 : tensor<32xf32>
    %225 = stablehlo.sqrt %224 : tensor<32xf32>
    %cst_65 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %227 = stablehlo.add %225, %226 : tensor<32xf32>
    %228 = stablehlo.divide %193, %227 : tensor<32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %230 = stablehlo.add %210, %229 : tensor<32x20xf32>
    %231 = stablehlo.sqrt %230 : tensor<32x20xf32>
    %cst_67 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %233 = stablehlo.add %231, %232 : tensor<32x20xf32>
    %234 = stablehlo.divide %195, %233 : tensor<32x20xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %236 = stablehlo.add %212, %235 : tensor<20xf32>
    %237 = stablehlo.sqrt %236 : tensor<20xf32>
    %cst_69 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %239 = stablehlo.add %237, %238 : tensor<20xf32>
    %240 = stablehlo.divide %197, %239 : tensor<20xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %242 = stablehlo.add %214, %241 : tensor<20x5xf32>
    %243 = stablehlo.sqrt %242 : tensor<20x5xf32>
    %cst_71 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %245 = stablehlo.add %243, %244 : tensor<20x5xf32>
    %246 = stablehlo.divide %199, %245 : tensor<20x5xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %248 = stablehlo.add %216, %247 : tensor<5xf32>
    %249 = stablehlo.sqrt %248 : tensor<5xf32>
    %cst_73 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %251 = stablehlo.add %249, %250 : tensor<5xf32>
    %252 = stablehlo.divide %201, %251 : tensor<5xf32>
    %cst_74 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %254 = stablehlo.multiply %253, %arg0 : tensor<12x32xf32>
    %255 = stablehlo.add %222, %254 : tensor<12x32xf32>
    %cst_75 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %257 = stablehlo.multiply %256, %arg1 : tensor<32xf32>
    %258 = stablehlo.add %228, %257 : tensor<32xf32>
    %cst_76 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %260 = stablehlo.multiply %259, %arg2 : tensor<32x20xf32>
    %261 = stablehlo.add %234, %260 : tensor<32x20xf32>
    %cst_77 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %263 = stablehlo.multiply %262, %arg3 : tensor<20xf32>
    %264 = stablehlo.add %240, %263 : tensor<20xf32>
    %cst_78 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %266 = stablehlo.multiply %265, %arg4 : tensor<20x5xf32>
    %267 = stablehlo.add %246, %266 : tensor<20x5xf32>
    %cst_79 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %269 = stablehlo.multiply %268, %arg5 : tensor<5xf32>
    %270 = stablehlo.add %252, %269 : tensor<5xf32>
    %cst_80 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %272 = stablehlo.multiply %271, %255 : tensor<12x32xf32>
    %cst_81 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %274 = stablehlo.multiply %273, %258 : tensor<32xf32>
    %cst_82 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<32x20xf32>
    %276 = stablehlo.multiply %275, %261 : tensor<32x20xf32>
    %cst_83 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %278 = stablehlo.multiply %277, %264 : tensor<20xf32>
    %cst_84 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<20x5xf32>
    %280 = stablehlo.multiply %279, %267 : tensor<20x5xf32>
    %cst_85 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %282 = stablehlo.multiply %281, %270 : tensor<5xf32>
    %283 = stablehlo.add %arg0, %272 : tensor<12x32xf32>
    %284 = stablehlo.add %arg1, %274 : tensor<32xf32>
    %285 = stablehlo.add %arg2, %276 : tensor<32x20xf32>
    %286 = stablehlo.add %arg3, %278 : tensor<20xf32>
    %287 = stablehlo.add %arg4, %280 : tensor<20x5xf32>
    %288 = stablehlo.add %arg5, %282 : tensor<5xf32>
    return %283, %284, %285, %286, %287, %288, %186, %122, %127, %132, %137, %142, %147, %153, %159, %165, %171, %177, %183, %23 : tensor<12x32xf32>, tensor<32xf32>, tensor<32x20xf32>, tensor<20xf32>, tensor<20x5xf32>, tensor<5xf32>, tensor<i32>, tensor<12x32xf32>, tensor<32xf32>, tensor<32x20xf32>, tensor<20xf32>, tensor<20x5xf32>, tensor<5xf32>, tensor<12x32xf32>, tensor<32xf32>, tensor<32x20xf32>, tensor<20xf32>, tensor<20x5xf32>, tensor<5xf32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
