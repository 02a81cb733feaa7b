// Attention of more keys than 32 KiB have scores of, and its gradients: rows stand in shared memory that launches ask for, and no array of queries x keys is in memory. In f32 and, with edges, bf16 on tensor cores. The bits are those
// of kernels of their own, with Echo on and off, on both targets, and with the host side's list and the PTX alone.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; j = json.load(open('%t/kernels.json')); k = [x for x in j['kernels'] if x['launches']]; assert len(k) == 8 and max(x['shared_bytes'] for x in k) > 48 << 10, k; assert j['planned_arena_bytes'] < 48 * 600 * 4, j['planned_arena_bytes']"
// A bundle says what launches ask for, too.
// RUN: echo-translate %s --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-translate %s --emit=launches --target=sm_80 | FileCheck %s
// CHECK: "dynamic_shared_bytes":{{ ?}}{{[1-9][0-9]+}}

module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x48x8xf32>, %arg1: tensor<1x1x48x8xf32>, %arg2: tensor<1x1x600x8xf32>, %arg3: tensor<1x1x600x8xf32>, %arg4: tensor<1x1x40x16xbf16>, %arg5: tensor<1x1x40x16xbf16>, %arg6: tensor<1x1x540x16xbf16>, %arg7: tensor<1x1x540x16xbf16>) -> (tensor<1x1x48x8xf32> {jax.result_info = "result[0]"}, tensor<1x1x48x8xf32> {jax.result_info = "result[1][0]"}, tensor<1x1x600x8xf32> {jax.result_info = "result[1][1]"}, tensor<1x1x600x8xf32> {jax.result_info = "result[1][2]"}, tensor<1x1x40x16xbf16> {jax.result_info = "result[2]"}, tensor<1x1x40x16xbf16> {jax.result_info = "result[3][0]"}, tensor<1x1x540x16xbf16> {jax.result_info = "result[3][1]"}, tensor<1x1x540x16xbf16> {jax.result_info = "result[3][2]"}) {
    %0 = stablehlo.dot_general %arg1, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x8xf32>, tensor<1x1x600x8xf32>) -> tensor<1x1x48x600xf32>
    %cst = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x48x600xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x1x48x600xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x48x600xf32>, tensor<f32>) -> tensor<1x1x48xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1x48xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<1x1x48xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x1x48x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x48x1xf32>) -> tensor<1x1x48x600xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<1x1x48x600xf32>
    %9 = stablehlo.exponential %8 : tensor<1x1x48x600xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x1x48x600xf32>, tensor<f32>) -> tensor<1x1x48xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x1x48x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x48x1xf32>) -> tensor<1x1x48x600xf32>
    %13 = stablehlo.divide %9, %12 : tensor<1x1x48x600xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<1x1x48x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x48x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<1x1x48x1xf32>
    %17 = stablehlo.dot_general %13, %arg3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x600xf32>, tensor<1x1x600x8xf32>) -> tensor<1x1x48x8xf32>
    %18 = stablehlo.dot_general %arg5, %arg6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x16xbf16>, tensor<1x1x540x16xbf16>) -> tensor<1x1x40x540xbf16>
    %cst_4 = stablehlo.constant dense<3.007810e-01> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<1x1x40x540xbf16>
    %20 = stablehlo.multiply %18, %19 : tensor<1x1x40x540xbf16>
    %cst_5 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %21 = stablehlo.reduce(%20 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x40x540xbf16>, tensor<bf16>) -> tensor<1x1x40xbf16>
    %cst_6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<1x1x40xbf16>
    %23 = stablehlo.maximum %22, %21 : tensor<1x1x40xbf16>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x40xbf16>) -> tensor<1x1x40x1xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x40x1xbf16>) -> tensor<1x1x40x540xbf16>
    %26 = stablehlo.subtract %20, %25 : tensor<1x1x40x540xbf16>
    %27 = stablehlo.exponential %26 : tensor<1x1x40x540xbf16>
    %28 = stablehlo.convert %27 : (tensor<1x1x40x540xbf16>) -> tensor<1x1x40x540xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<1x1x40x540xf32>, tensor<f32>) -> tensor<1x1x40xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x40xf32>) -> tensor<1x1x40x1xf32>
    %31 = stablehlo.convert %30 : (tensor<1x1x40x1xf32>) -> tensor<1x1x40x1xbf16>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x40x1xbf16>) -> tensor<1x1x40x540xbf16>
    %33 = stablehlo.divide %27, %32 : tensor<1x1x40x540xbf16>
    %34 = stablehlo.multiply %31, %31 : tensor<1x1x40x1xbf16>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<1x1x40x1xbf16>
    %36 = stablehlo.divide %35, %34 : tensor<1x1x40x1xbf16>
    %37 = stablehlo.dot_general %33, %arg7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x540xbf16>, tensor<1x1x540x16xbf16>) -> tensor<1x1x40x16xbf16>
    %38 = stablehlo.dot_general %arg0, %13, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x8xf32>, tensor<1x1x48x600xf32>) -> tensor<1x1x8x600xf32>
    %39 = stablehlo.transpose %38, dims = [0, 1, 3, 2] : (tensor<1x1x8x600xf32>) -> tensor<1x1x600x8xf32>
    %40 = stablehlo.dot_general %arg0, %arg3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x8xf32>, tensor<1x1x600x8xf32>) -> tensor<1x1x48x600xf32>
    %41 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x48x1xf32>) -> tensor<1x1x48x600xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<1x1x48x600xf32>
    %43 = stablehlo.multiply %42, %9 : tensor<1x1x48x600xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<1x1x48x600xf32>, tensor<f32>) -> tensor<1x1x48xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x1x48xf32>) -> tensor<1x1x48x1xf32>
    %46 = stablehlo.negate %45 : tensor<1x1x48x1xf32>
    %47 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x48x1xf32>) -> tensor<1x1x48x600xf32>
    %48 = stablehlo.divide %40, %47 : tensor<1x1x48x600xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 3] : (tensor<1x1x48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x1x48x600xf32>
    %52 = stablehlo.add %48, %51 : tensor<1x1x48x600xf32>
    %53 = stablehlo.multiply %52, %9 : tensor<1x1x48x600xf32>
    %cst_11 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x1x48x600xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<1x1x48x600xf32>
    %56 = stablehlo.dot_general %55, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x600xf32>, tensor<1x1x48x8xf32>) -> tensor<1x1x600x8xf32>
    %57 = stablehlo.dot_general %55, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x48x600xf32>, tensor<1x1x600x8xf32>) -> tensor<1x1x48x8xf32>
    %58 = stablehlo.dot_general %arg4, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x16xbf16>, tensor<1x1x40x540xbf16>) -> tensor<1x1x16x540xbf16>
    %59 = stablehlo.transpose %58, dims = [0, 1, 3, 2] : (tensor<1x1x16x540xbf16>) -> tensor<1x1x540x16xbf16>
    %60 = stablehlo.dot_general %arg4, %arg7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x16xbf16>, tensor<1x1x540x16xbf16>) -> tensor<1x1x40x540xbf16>
    %61 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x40x1xbf16>) -> tensor<1x1x40x540xbf16>
    %62 = stablehlo.multiply %60, %61 : tensor<1x1x40x540xbf16>
    %63 = stablehlo.multiply %62, %27 : tensor<1x1x40x540xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %64 = stablehlo.reduce(%63 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<1x1x40x540xbf16>, tensor<bf16>) -> tensor<1x1x40xbf16>
    %65 = stablehlo.reshape %64 : (tensor<1x1x40xbf16>) -> tensor<1x1x40x1xbf16>
    %66 = stablehlo.negate %65 : tensor<1x1x40x1xbf16>
    %67 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x40x1xbf16>) -> tensor<1x1x40x540xbf16>
    %68 = stablehlo.divide %60, %67 : tensor<1x1x40x540xbf16>
    %69 = stablehlo.convert %66 : (tensor<1x1x40x1xbf16>) -> tensor<1x1x40x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 3] : (tensor<1x1x40x1xf32>, tensor<f32>) -> tensor<40xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [2] : (tensor<40xf32>) -> tensor<1x1x40xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<1x1x40xf32>) -> tensor<1x1x40x540xf32>
    %73 = stablehlo.convert %72 : (tensor<1x1x40x540xf32>) -> tensor<1x1x40x540xbf16>
    %74 = stablehlo.add %68, %73 : tensor<1x1x40x540xbf16>
    %75 = stablehlo.multiply %74, %27 : tensor<1x1x40x540xbf16>
    %cst_14 = stablehlo.constant dense<3.007810e-01> : tensor<bf16>
    %76 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<1x1x40x540xbf16>
    %77 = stablehlo.multiply %75, %76 : tensor<1x1x40x540xbf16>
    %78 = stablehlo.dot_general %77, %arg5, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x540xbf16>, tensor<1x1x40x16xbf16>) -> tensor<1x1x540x16xbf16>
    %79 = stablehlo.dot_general %77, %arg6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x1x40x540xbf16>, tensor<1x1x540x16xbf16>) -> tensor<1x1x40x16xbf16>
    return %17, %57, %56, %39, %37, %79, %78, %59 : tensor<1x1x48x8xf32>, tensor<1x1x48x8xf32>, tensor<1x1x600x8xf32>, tensor<1x1x600x8xf32>, tensor<1x1x40x16xbf16>, tensor<1x1x40x16xbf16>, tensor<1x1x540x16xbf16>, tensor<1x1x540x16xbf16>
  }
}

