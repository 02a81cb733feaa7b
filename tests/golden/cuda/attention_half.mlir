// jax.nn.dot_product_attention of bf16 and its gradient: scores and their softmax in f32, probabilities and the scores' gradient in bf16 where they are multiplied (--round-operands), results converted where they are put down. Four kernels, no
// array of queries x keys; the bits are those of kernels of their own, with Echo on and off, on both targets.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cpu --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2
// RUN: python3 -c "import json; j = json.load(open('%t/kernels.json')); k = [x for x in j['kernels'] if x['launches']]; assert [x['kind'] for x in k] == ['contraction'] * 4 and all(x['tensor_flops'] for x in k), k; assert j['planned_arena_bytes'] < 2 * 2 * 48 * 48 * 2, j['planned_arena_bytes']"

module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x48x2x16xbf16>, %arg1: tensor<2x48x2x16xbf16>, %arg2: tensor<2x48x2x16xbf16>, %arg3: tensor<2x48x2x16xbf16>) -> (tensor<2x48x2x16xbf16> {jax.result_info = "result[0]"}, tensor<2x48x2x16xbf16> {jax.result_info = "result[1][0]"}, tensor<2x48x2x16xbf16> {jax.result_info = "result[1][1]"}, tensor<2x48x2x16xbf16> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<2x48x2x16xbf16>) -> tensor<2x48x2x1x16xbf16>
    %1 = stablehlo.dot_general %0, %arg2, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x48x2x1x16xbf16>, tensor<2x48x2x16xbf16>) -> tensor<2x2x48x1x48xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x48x1x48xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x48x1x48xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x48x48xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %6 = call @tril(%5) : (tensor<48x48xi1>) -> tensor<48x48xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<48x48xi1>) -> tensor<1x1x48x48xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x48x48xi1>) -> tensor<2x2x48x48xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x2x48x48xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<2x2x48x48xi1>, tensor<2x2x48x1x48xf32>, tensor<f32>) -> (tensor<1x2x2x48x48xf32>, tensor<1x2x2x48x48xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x48x48xf32>, tensor<f32>) -> tensor<1x2x2x48xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x2x48xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x2x48xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x2x48xf32>) -> tensor<1x2x2x48x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x48x1xf32>) -> tensor<1x2x2x48x48xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<1x2x2x48x48xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x2x48x48xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x48x48xf32>, tensor<f32>) -> tensor<1x2x2x48xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x2x48xf32>) -> tensor<1x2x2x48x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x48x1xf32>) -> tensor<1x2x2x48x48xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x2x48x48xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<1x2x2x48x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x2x48x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<1x2x2x48x1xf32>
    %25 = stablehlo.convert %21 : (tensor<1x2x2x48x48xf32>) -> tensor<1x2x2x48x48xbf16>
    %26 = stablehlo.dot_general %arg3, %25, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x48x2x16xbf16>, tensor<1x2x2x48x48xbf16>) -> tensor<2x2x16x1x48xbf16>
    %27 = stablehlo.transpose %26, dims = [3, 0, 4, 1, 2] : (tensor<2x2x16x1x48xbf16>) -> tensor<1x2x48x2x16xbf16>
    %28 = stablehlo.transpose %27, dims = [1, 2, 3, 0, 4] : (tensor<1x2x48x2x16xbf16>) -> tensor<2x48x2x1x16xbf16>
    %29 = stablehlo.reshape %28 : (tensor<2x48x2x1x16xbf16>) -> tensor<2x48x2x16xbf16>
    %30 = stablehlo.reshape %arg0 : (tensor<2x48x2x16xbf16>) -> tensor<2x48x2x1x16xbf16>
    %31 = stablehlo.transpose %30, dims = [3, 0, 1, 2, 4] : (tensor<2x48x2x1x16xbf16>) -> tensor<1x2x48x2x16xbf16>
    %32 = stablehlo.transpose %31, dims = [1, 3, 4, 0, 2] : (tensor<1x2x48x2x16xbf16>) -> tensor<2x2x16x1x48xbf16>
    %33 = stablehlo.dot_general %32, %arg3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x1x48xbf16>, tensor<2x48x2x16xbf16>) -> tensor<2x2x1x48x48xbf16>
    %34 = stablehlo.transpose %33, dims = [2, 0, 1, 3, 4] : (tensor<2x2x1x48x48xbf16>) -> tensor<1x2x2x48x48xbf16>
    %35 = stablehlo.dot_general %32, %25, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x1x48xbf16>, tensor<1x2x2x48x48xbf16>) -> tensor<2x2x16x48xbf16>
    %36 = stablehlo.transpose %35, dims = [0, 3, 1, 2] : (tensor<2x2x16x48xbf16>) -> tensor<2x48x2x16xbf16>
    %37 = stablehlo.convert %34 : (tensor<1x2x2x48x48xbf16>) -> tensor<1x2x2x48x48xf32>
    %38 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x48x1xf32>) -> tensor<1x2x2x48x48xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<1x2x2x48x48xf32>
    %40 = stablehlo.multiply %39, %17 : tensor<1x2x2x48x48xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x48x48xf32>, tensor<f32>) -> tensor<1x2x2x48xf32>
    %42 = stablehlo.reshape %41 : (tensor<1x2x2x48xf32>) -> tensor<1x2x2x48x1xf32>
    %43 = stablehlo.negate %42 : tensor<1x2x2x48x1xf32>
    %44 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x48x1xf32>) -> tensor<1x2x2x48x48xf32>
    %45 = stablehlo.divide %37, %44 : tensor<1x2x2x48x48xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%43 init: %cst_7) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x2x48x1xf32>, tensor<f32>) -> tensor<2x2x48xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [1, 2, 3] : (tensor<2x2x48xf32>) -> tensor<1x2x2x48xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x2x2x48xf32>) -> tensor<1x2x2x48x48xf32>
    %49 = stablehlo.add %45, %48 : tensor<1x2x2x48x48xf32>
    %50 = stablehlo.multiply %49, %17 : tensor<1x2x2x48x48xf32>
    %51 = call @_where_0(%10#1, %50) : (tensor<1x2x2x48x48xi1>, tensor<1x2x2x48x48xf32>) -> tensor<2x2x48x1x48xf32>
    %cst_8 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x48x1x48xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<2x2x48x1x48xf32>
    %54 = stablehlo.dot_general %53, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x48x1x48xf32>, tensor<2x48x2x1x16xbf16>) -> tensor<2x2x48x16xf32>
    %55 = stablehlo.transpose %54, dims = [0, 2, 1, 3] : (tensor<2x2x48x16xf32>) -> tensor<2x48x2x16xf32>
    %56 = stablehlo.convert %55 : (tensor<2x48x2x16xf32>) -> tensor<2x48x2x16xbf16>
    %57 = stablehlo.dot_general %53, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x48x1x48xf32>, tensor<2x48x2x16xbf16>) -> tensor<2x2x48x1x16xf32>
    %58 = stablehlo.transpose %57, dims = [0, 2, 1, 3, 4] : (tensor<2x2x48x1x16xf32>) -> tensor<2x48x2x1x16xf32>
    %59 = stablehlo.convert %58 : (tensor<2x48x2x1x16xf32>) -> tensor<2x48x2x1x16xbf16>
    %60 = stablehlo.reshape %59 : (tensor<2x48x2x1x16xbf16>) -> tensor<2x48x2x16xbf16>
    return %29, %60, %56, %36 : tensor<2x48x2x16xbf16>, tensor<2x48x2x16xbf16>, tensor<2x48x2x16xbf16>, tensor<2x48x2x16xbf16>
  }
  func.func private @tril(%arg0: tensor<48x48xi1>) -> tensor<48x48xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<48x48xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48x48xi32>
    %2 = stablehlo.add %0, %1 : tensor<48x48xi32>
    %3 = stablehlo.iota dim = 1 : tensor<48x48xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<48x48xi32>, tensor<48x48xi32>) -> tensor<48x48xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<48x48xi1>, tensor<48x48xi1>
    return %6 : tensor<48x48xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x48x48xi1>, %arg1: tensor<2x2x48x1x48xf32>, %arg2: tensor<f32>) -> (tensor<1x2x2x48x48xf32>, tensor<1x2x2x48x48xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x48x48xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x48x48xi1>) -> tensor<1x2x2x48x48xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x48x48xf32>) -> tensor<1x2x2x48x48xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x48x1x48xf32>) -> tensor<1x2x2x48x48xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x2x48x48xi1>, tensor<1x2x2x48x48xf32>
    return %4, %1 : tensor<1x2x2x48x48xf32>, tensor<1x2x2x48x48xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x2x48x48xi1>, %arg1: tensor<1x2x2x48x48xf32>) -> tensor<2x2x48x1x48xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x48x48xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x2x48x48xi1>, tensor<1x2x2x48x48xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x2x48x48xf32>) -> tensor<2x2x48x1x48xf32>
    return %2 : tensor<2x2x48x1x48xf32>
  }
}

