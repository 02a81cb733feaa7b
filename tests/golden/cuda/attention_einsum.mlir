// Attention of queries of many heads for one of keys and its gradient, as einsums have it: 'bqhd,bkd->bhqk', which JAX makes with the keys' dimension first and transposes. The product is made the other way round, so that keys are its rows,
// and what comes of it stands in its order, a gradient that is a product in another order among it. The bits are those of kernels of their own, with Echo on and off, on both targets.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-4 --atol=1e-5 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; j = json.load(open('%t/kernels.json')); k = [x['kind'] for x in j['kernels'] if x['launches']]; assert k.count('contraction') == 4 and len(k) == 5, k; assert j['planned_arena_bytes'] < 6 * 36 * 40 * 4, j['planned_arena_bytes']"
// RUN: echo-opt %s --to=tensor --pass-pipeline='builtin.module(inline,symbol-dce,canonicalize,cse,keep-row-order,canonicalize,cse,dce)' | FileCheck %s
// Nothing of queries and keys is transposed any more.
// CHECK-LABEL: func.func public @main
// CHECK:       stablehlo.dot_general %arg1, %arg2
// CHECK-NOT:   stablehlo.transpose {{.*}}40xf32>{{.*}} -> tensor<{{.*}}40{{.*}}36
// CHECK:       return

module @jit_step2 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x36x6x16xf32>, %arg1: tensor<2x36x6x16xf32>, %arg2: tensor<2x40x16xf32>, %arg3: tensor<2x40x16xf32>) -> (tensor<2x36x6x16xf32> {jax.result_info = "result[0]"}, tensor<2x36x6x16xf32> {jax.result_info = "result[1][0]"}, tensor<2x40x16xf32> {jax.result_info = "result[1][1]"}, tensor<2x40x16xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.dot_general %arg2, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x40x16xf32>, tensor<2x36x6x16xf32>) -> tensor<2x40x36x6xf32>
    %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x40x36x6xf32>) -> tensor<2x6x36x40xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x36x40xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x6x36x40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x6x36x40xf32>, tensor<f32>) -> tensor<2x6x36xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x36xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x6x36xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x6x36xf32>) -> tensor<2x6x36x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x6x36x1xf32>) -> tensor<2x6x36x40xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x6x36x40xf32>
    %10 = stablehlo.exponential %9 : tensor<2x6x36x40xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x6x36x40xf32>, tensor<f32>) -> tensor<2x6x36xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x6x36xf32>) -> tensor<2x6x36x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x6x36x1xf32>) -> tensor<2x6x36x40xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x6x36x40xf32>
    %15 = stablehlo.multiply %12, %12 : tensor<2x6x36x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x36x1xf32>
    %17 = stablehlo.divide %16, %15 : tensor<2x6x36x1xf32>
    %18 = stablehlo.dot_general %arg3, %14, batching_dims = [0] x [0], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x40x16xf32>, tensor<2x6x36x40xf32>) -> tensor<2x16x6x36xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 2, 1] : (tensor<2x16x6x36xf32>) -> tensor<2x36x6x16xf32>
    %20 = stablehlo.transpose %arg0, dims = [0, 3, 2, 1] : (tensor<2x36x6x16xf32>) -> tensor<2x16x6x36xf32>
    %21 = stablehlo.dot_general %20, %arg3, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x6x36xf32>, tensor<2x40x16xf32>) -> tensor<2x6x36x40xf32>
    %22 = stablehlo.dot_general %20, %14, batching_dims = [0] x [0], contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x6x36xf32>, tensor<2x6x36x40xf32>) -> tensor<2x16x40xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 1] : (tensor<2x16x40xf32>) -> tensor<2x40x16xf32>
    %24 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x6x36x1xf32>) -> tensor<2x6x36x40xf32>
    %25 = stablehlo.multiply %21, %24 : tensor<2x6x36x40xf32>
    %26 = stablehlo.multiply %25, %10 : tensor<2x6x36x40xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x6x36x40xf32>, tensor<f32>) -> tensor<2x6x36xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x6x36xf32>) -> tensor<2x6x36x1xf32>
    %29 = stablehlo.negate %28 : tensor<2x6x36x1xf32>
    %30 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x6x36x1xf32>) -> tensor<2x6x36x40xf32>
    %31 = stablehlo.divide %21, %30 : tensor<2x6x36x40xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x6x36x1xf32>, tensor<f32>) -> tensor<2x6x36xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x6x36xf32>) -> tensor<2x6x36x40xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x6x36x40xf32>
    %35 = stablehlo.multiply %34, %10 : tensor<2x6x36x40xf32>
    %cst_6 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x6x36x40xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x6x36x40xf32>
    %38 = stablehlo.transpose %37, dims = [0, 3, 2, 1] : (tensor<2x6x36x40xf32>) -> tensor<2x40x36x6xf32>
    %39 = stablehlo.dot_general %38, %arg2, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x40x36x6xf32>, tensor<2x40x16xf32>) -> tensor<2x36x6x16xf32>
    %40 = stablehlo.dot_general %38, %arg1, batching_dims = [0] x [0], contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x40x36x6xf32>, tensor<2x36x6x16xf32>) -> tensor<2x40x16xf32>
    return %19, %39, %40, %23 : tensor<2x36x6x16xf32>, tensor<2x36x6x16xf32>, tensor<2x40x16xf32>, tensor<2x40x16xf32>
  }
}
