// Attention of queries of many heads for one of keys and its gradient, as jax.nn.dot_product_attention has it: six heads of queries, causal, in f32, and four in bf16. The dimension of the one head stands where reshapes put it, which is
// no other order: --keep-row-order has scores and their gradient in that of their products. The bits are those of kernels of their own, with Echo on and off, on both targets.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; j = json.load(open('%t/kernels.json')); k = [x for x in j['kernels'] if x['launches']]; assert [x['kind'] for x in k].count('contraction') == 8 and all(x['kind'] in ('contraction', 'transpose', 'map') for x in k), k; assert j['planned_arena_bytes'] < 2 * 6 * 40 * 40 * 4, j['planned_arena_bytes']"
// RUN: echo-opt %s --to=tensor --pass-pipeline='builtin.module(inline,symbol-dce,canonicalize,cse,round-operands,keep-row-order,canonicalize,cse,dce)' -o %t/kept.mlir
// RUN: echo-run %t/kept.mlir --device=interpreter --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2

module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x40x6x8xf32>, %arg1: tensor<2x40x6x8xf32>, %arg2: tensor<2x40x1x8xf32>, %arg3: tensor<2x40x1x8xf32>, %arg4: tensor<2x36x4x16xbf16>, %arg5: tensor<2x36x4x16xbf16>, %arg6: tensor<2x52x1x16xbf16>, %arg7: tensor<2x52x1x16xbf16>) -> (tensor<2x40x6x8xf32> {jax.result_info = "result[0]"}, tensor<2x40x6x8xf32> {jax.result_info = "result[1][0]"}, tensor<2x40x1x8xf32> {jax.result_info = "result[1][1]"}, tensor<2x40x1x8xf32> {jax.result_info = "result[1][2]"}, tensor<2x36x4x16xbf16> {jax.result_info = "result[2]"}, tensor<2x36x4x16xbf16> {jax.result_info = "result[3][0]"}, tensor<2x52x1x16xbf16> {jax.result_info = "result[3][1]"}, tensor<2x52x1x16xbf16> {jax.result_info = "result[3][2]"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<2x40x6x8xf32>) -> tensor<2x40x1x6x8xf32>
    %1 = stablehlo.dot_general %0, %arg2, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x40x1x6x8xf32>, tensor<2x40x1x8xf32>) -> tensor<2x1x40x6x40xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x40x6x40xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x1x40x6x40xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x1x40x40xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %6 = call @tril(%5) : (tensor<40x40xi1>) -> tensor<40x40xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<40x40xi1>) -> tensor<1x1x40x40xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x40x40xi1>) -> tensor<2x1x40x40xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x1x40x40xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<2x1x40x40xi1>, tensor<2x1x40x6x40xf32>, tensor<f32>) -> (tensor<6x2x1x40x40xf32>, tensor<6x2x1x40x40xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<6x2x1x40x40xf32>, tensor<f32>) -> tensor<6x2x1x40xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x2x1x40xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<6x2x1x40xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<6x2x1x40xf32>) -> tensor<6x2x1x40x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<6x2x1x40x1xf32>) -> tensor<6x2x1x40x40xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<6x2x1x40x40xf32>
    %17 = stablehlo.exponential %16 : tensor<6x2x1x40x40xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<6x2x1x40x40xf32>, tensor<f32>) -> tensor<6x2x1x40xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<6x2x1x40xf32>) -> tensor<6x2x1x40x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<6x2x1x40x1xf32>) -> tensor<6x2x1x40x40xf32>
    %21 = stablehlo.divide %17, %20 : tensor<6x2x1x40x40xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<6x2x1x40x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x2x1x40x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<6x2x1x40x1xf32>
    %25 = stablehlo.dot_general %arg3, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x40x1x8xf32>, tensor<6x2x1x40x40xf32>) -> tensor<2x1x8x6x40xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x1x8x6x40xf32>) -> tensor<6x2x40x1x8xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<6x2x40x1x8xf32>) -> tensor<2x40x1x6x8xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x40x1x6x8xf32>) -> tensor<2x40x6x8xf32>
    %29 = stablehlo.reshape %arg5 : (tensor<2x36x4x16xbf16>) -> tensor<2x36x1x4x16xbf16>
    %30 = stablehlo.dot_general %29, %arg6, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x36x1x4x16xbf16>, tensor<2x52x1x16xbf16>) -> tensor<2x1x36x4x52xf32>
    %cst_6 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1x36x4x52xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<2x1x36x4x52xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.maximum across dimensions = [4] : (tensor<2x1x36x4x52xf32>, tensor<f32>) -> tensor<2x1x36x4xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x1x36x4xf32>
    %35 = stablehlo.maximum %34, %33 : tensor<2x1x36x4xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 1, 2] : (tensor<2x1x36x4xf32>) -> tensor<4x2x1x36xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<4x2x1x36xf32>) -> tensor<4x2x1x36x1xf32>
    %38 = stablehlo.transpose %32, dims = [3, 0, 1, 2, 4] : (tensor<2x1x36x4x52xf32>) -> tensor<4x2x1x36x52xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x36x1xf32>) -> tensor<4x2x1x36x52xf32>
    %40 = stablehlo.subtract %38, %39 : tensor<4x2x1x36x52xf32>
    %41 = stablehlo.exponential %40 : tensor<4x2x1x36x52xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<4x2x1x36x52xf32>, tensor<f32>) -> tensor<4x2x1x36xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<4x2x1x36xf32>) -> tensor<4x2x1x36x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x36x1xf32>) -> tensor<4x2x1x36x52xf32>
    %45 = stablehlo.divide %41, %44 : tensor<4x2x1x36x52xf32>
    %46 = stablehlo.multiply %43, %43 : tensor<4x2x1x36x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x1x36x1xf32>
    %48 = stablehlo.divide %47, %46 : tensor<4x2x1x36x1xf32>
    %49 = stablehlo.convert %45 : (tensor<4x2x1x36x52xf32>) -> tensor<4x2x1x36x52xbf16>
    %50 = stablehlo.dot_general %arg7, %49, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x52x1x16xbf16>, tensor<4x2x1x36x52xbf16>) -> tensor<2x1x16x4x36xbf16>
    %51 = stablehlo.transpose %50, dims = [3, 0, 4, 1, 2] : (tensor<2x1x16x4x36xbf16>) -> tensor<4x2x36x1x16xbf16>
    %52 = stablehlo.transpose %51, dims = [1, 2, 3, 0, 4] : (tensor<4x2x36x1x16xbf16>) -> tensor<2x36x1x4x16xbf16>
    %53 = stablehlo.reshape %52 : (tensor<2x36x1x4x16xbf16>) -> tensor<2x36x4x16xbf16>
    %54 = stablehlo.reshape %arg0 : (tensor<2x40x6x8xf32>) -> tensor<2x40x1x6x8xf32>
    %55 = stablehlo.transpose %54, dims = [3, 0, 1, 2, 4] : (tensor<2x40x1x6x8xf32>) -> tensor<6x2x40x1x8xf32>
    %56 = stablehlo.transpose %55, dims = [1, 3, 4, 0, 2] : (tensor<6x2x40x1x8xf32>) -> tensor<2x1x8x6x40xf32>
    %57 = stablehlo.dot_general %56, %arg3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x8x6x40xf32>, tensor<2x40x1x8xf32>) -> tensor<2x1x6x40x40xf32>
    %58 = stablehlo.transpose %57, dims = [2, 0, 1, 3, 4] : (tensor<2x1x6x40x40xf32>) -> tensor<6x2x1x40x40xf32>
    %59 = stablehlo.dot_general %56, %21, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x8x6x40xf32>, tensor<6x2x1x40x40xf32>) -> tensor<2x1x8x40xf32>
    %60 = stablehlo.transpose %59, dims = [0, 3, 1, 2] : (tensor<2x1x8x40xf32>) -> tensor<2x40x1x8xf32>
    %61 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<6x2x1x40x1xf32>) -> tensor<6x2x1x40x40xf32>
    %62 = stablehlo.multiply %58, %61 : tensor<6x2x1x40x40xf32>
    %63 = stablehlo.multiply %62, %17 : tensor<6x2x1x40x40xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_11) applies stablehlo.add across dimensions = [4] : (tensor<6x2x1x40x40xf32>, tensor<f32>) -> tensor<6x2x1x40xf32>
    %65 = stablehlo.reshape %64 : (tensor<6x2x1x40xf32>) -> tensor<6x2x1x40x1xf32>
    %66 = stablehlo.negate %65 : tensor<6x2x1x40x1xf32>
    %67 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<6x2x1x40x1xf32>) -> tensor<6x2x1x40x40xf32>
    %68 = stablehlo.divide %58, %67 : tensor<6x2x1x40x40xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%66 init: %cst_12) applies stablehlo.add across dimensions = [2, 4] : (tensor<6x2x1x40x1xf32>, tensor<f32>) -> tensor<6x2x40xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 3] : (tensor<6x2x40xf32>) -> tensor<6x2x1x40xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2, 3] : (tensor<6x2x1x40xf32>) -> tensor<6x2x1x40x40xf32>
    %72 = stablehlo.add %68, %71 : tensor<6x2x1x40x40xf32>
    %73 = stablehlo.multiply %72, %17 : tensor<6x2x1x40x40xf32>
    %74 = call @_where_0(%10#1, %73) : (tensor<6x2x1x40x40xi1>, tensor<6x2x1x40x40xf32>) -> tensor<2x1x40x6x40xf32>
    %cst_13 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x1x40x6x40xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<2x1x40x6x40xf32>
    %77 = stablehlo.dot_general %76, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x40x6x40xf32>, tensor<2x40x1x6x8xf32>) -> tensor<2x1x40x8xf32>
    %78 = stablehlo.transpose %77, dims = [0, 2, 1, 3] : (tensor<2x1x40x8xf32>) -> tensor<2x40x1x8xf32>
    %79 = stablehlo.dot_general %76, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x1x40x6x40xf32>, tensor<2x40x1x8xf32>) -> tensor<2x1x40x6x8xf32>
    %80 = stablehlo.transpose %79, dims = [0, 2, 1, 3, 4] : (tensor<2x1x40x6x8xf32>) -> tensor<2x40x1x6x8xf32>
    %81 = stablehlo.reshape %80 : (tensor<2x40x1x6x8xf32>) -> tensor<2x40x6x8xf32>
    %82 = stablehlo.reshape %arg4 : (tensor<2x36x4x16xbf16>) -> tensor<2x36x1x4x16xbf16>
    %83 = stablehlo.transpose %82, dims = [3, 0, 1, 2, 4] : (tensor<2x36x1x4x16xbf16>) -> tensor<4x2x36x1x16xbf16>
    %84 = stablehlo.transpose %83, dims = [1, 3, 4, 0, 2] : (tensor<4x2x36x1x16xbf16>) -> tensor<2x1x16x4x36xbf16>
    %85 = stablehlo.dot_general %84, %arg7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x16x4x36xbf16>, tensor<2x52x1x16xbf16>) -> tensor<2x1x4x36x52xbf16>
    %86 = stablehlo.transpose %85, dims = [2, 0, 1, 3, 4] : (tensor<2x1x4x36x52xbf16>) -> tensor<4x2x1x36x52xbf16>
    %87 = stablehlo.dot_general %84, %49, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x16x4x36xbf16>, tensor<4x2x1x36x52xbf16>) -> tensor<2x1x16x52xbf16>
    %88 = stablehlo.transpose %87, dims = [0, 3, 1, 2] : (tensor<2x1x16x52xbf16>) -> tensor<2x52x1x16xbf16>
    %89 = stablehlo.convert %86 : (tensor<4x2x1x36x52xbf16>) -> tensor<4x2x1x36x52xf32>
    %90 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x36x1xf32>) -> tensor<4x2x1x36x52xf32>
    %91 = stablehlo.multiply %89, %90 : tensor<4x2x1x36x52xf32>
    %92 = stablehlo.multiply %91, %41 : tensor<4x2x1x36x52xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_14) applies stablehlo.add across dimensions = [4] : (tensor<4x2x1x36x52xf32>, tensor<f32>) -> tensor<4x2x1x36xf32>
    %94 = stablehlo.reshape %93 : (tensor<4x2x1x36xf32>) -> tensor<4x2x1x36x1xf32>
    %95 = stablehlo.negate %94 : tensor<4x2x1x36x1xf32>
    %96 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x36x1xf32>) -> tensor<4x2x1x36x52xf32>
    %97 = stablehlo.divide %89, %96 : tensor<4x2x1x36x52xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%95 init: %cst_15) applies stablehlo.add across dimensions = [2, 4] : (tensor<4x2x1x36x1xf32>, tensor<f32>) -> tensor<4x2x36xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 3] : (tensor<4x2x36xf32>) -> tensor<4x2x1x36xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<4x2x1x36xf32>) -> tensor<4x2x1x36x52xf32>
    %101 = stablehlo.add %97, %100 : tensor<4x2x1x36x52xf32>
    %102 = stablehlo.multiply %101, %41 : tensor<4x2x1x36x52xf32>
    %103 = stablehlo.transpose %102, dims = [1, 2, 3, 0, 4] : (tensor<4x2x1x36x52xf32>) -> tensor<2x1x36x4x52xf32>
    %cst_16 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x1x36x4x52xf32>
    %105 = stablehlo.multiply %103, %104 : tensor<2x1x36x4x52xf32>
    %106 = stablehlo.dot_general %105, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x1x36x4x52xf32>, tensor<2x36x1x4x16xbf16>) -> tensor<2x1x52x16xf32>
    %107 = stablehlo.transpose %106, dims = [0, 2, 1, 3] : (tensor<2x1x52x16xf32>) -> tensor<2x52x1x16xf32>
    %108 = stablehlo.convert %107 : (tensor<2x52x1x16xf32>) -> tensor<2x52x1x16xbf16>
    %109 = stablehlo.dot_general %105, %arg6, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x1x36x4x52xf32>, tensor<2x52x1x16xbf16>) -> tensor<2x1x36x4x16xf32>
    %110 = stablehlo.transpose %109, dims = [0, 2, 1, 3, 4] : (tensor<2x1x36x4x16xf32>) -> tensor<2x36x1x4x16xf32>
    %111 = stablehlo.convert %110 : (tensor<2x36x1x4x16xf32>) -> tensor<2x36x1x4x16xbf16>
    %112 = stablehlo.reshape %111 : (tensor<2x36x1x4x16xbf16>) -> tensor<2x36x4x16xbf16>
    return %28, %81, %78, %60, %53, %112, %108, %88 : tensor<2x40x6x8xf32>, tensor<2x40x6x8xf32>, tensor<2x40x1x8xf32>, tensor<2x40x1x8xf32>, tensor<2x36x4x16xbf16>, tensor<2x36x4x16xbf16>, tensor<2x52x1x16xbf16>, tensor<2x52x1x16xbf16>
  }
  func.func private @tril(%arg0: tensor<40x40xi1>) -> tensor<40x40xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<40x40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x40xi32>
    %2 = stablehlo.add %0, %1 : tensor<40x40xi32>
    %3 = stablehlo.iota dim = 1 : tensor<40x40xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<40x40xi1>, tensor<40x40xi1>
    return %6 : tensor<40x40xi1>
  }
  func.func private @_where(%arg0: tensor<2x1x40x40xi1>, %arg1: tensor<2x1x40x6x40xf32>, %arg2: tensor<f32>) -> (tensor<6x2x1x40x40xf32>, tensor<6x2x1x40x40xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x40x40xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x1x40x40xi1>) -> tensor<6x2x1x40x40xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x1x40x40xf32>) -> tensor<6x2x1x40x40xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x1x40x6x40xf32>) -> tensor<6x2x1x40x40xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<6x2x1x40x40xi1>, tensor<6x2x1x40x40xf32>
    return %4, %1 : tensor<6x2x1x40x40xf32>, tensor<6x2x1x40x40xi1>
  }
  func.func private @_where_0(%arg0: tensor<6x2x1x40x40xi1>, %arg1: tensor<6x2x1x40x40xf32>) -> tensor<2x1x40x6x40xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x1x40x40xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<6x2x1x40x40xi1>, tensor<6x2x1x40x40xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<6x2x1x40x40xf32>) -> tensor<2x1x40x6x40xf32>
    return %2 : tensor<2x1x40x6x40xf32>
  }
}
