// Attention of 1024 positions, forward and backward, as JAX exports it: scores of 16 MiB, which --chunk-rows would cut, and products of so few results that --split-reductions would cut them, where their kernels would not keep the scores
// to themselves. On a GPU they do, so that four kernels do it all; on the CPU there are chunks.
// RUN: echo-opt %s --to=kernels --target=sm_80 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS < %t.mlir
// RUN: echo-opt %s --to=step --target=sm_80 --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: echo-opt %s --to=step --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: echo-opt %s --to=step --target=sm_80 --cublaslt --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=CPU
// CHECK-COUNT-4: "kernel.call"
// CHECK-NOT:     "kernel.call"
// KERNELS-NOT:   "kernel.return"{{.*}}1024x1024
// GPU:           (S) 0 heads - contractions
// GPU:           (S) 0 split - reductions made
// CPU:           (S) 1 heads
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1024x4x32xf32>, %arg1: tensor<1x1024x4x32xf32>, %arg2: tensor<1x1024x4x32xf32>, %arg3: tensor<1x1024x4x32xf32>) -> (tensor<1x1024x4x32xf32> {jax.result_info = "result[0]"}, tensor<1x1024x4x32xf32> {jax.result_info = "result[1][0]"}, tensor<1x1024x4x32xf32> {jax.result_info = "result[1][1]"}, tensor<1x1024x4x32xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<1x1024x4x32xf32>) -> tensor<1x1024x4x1x32xf32>
    %1 = stablehlo.dot_general %0, %arg2, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x4x1x32xf32>, tensor<1x1024x4x32xf32>) -> tensor<1x4x1024x1x1024xf32>
    %cst = stablehlo.constant dense<0.176776692> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x1024x1x1024xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x4x1024x1x1024xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x1024x1x1024xf32>, tensor<f32>) -> tensor<1x4x1024x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x4x1024x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<1x4x1024x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<1x4x1024x1xf32>) -> tensor<1x1x4x1024xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x4x1024xf32>) -> tensor<1x1x4x1024x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<1x4x1024x1x1024xf32>) -> tensor<1x1x4x1024x1024xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x1024x1xf32>) -> tensor<1x1x4x1024x1024xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x1x4x1024x1024xf32>
    %12 = stablehlo.exponential %11 : tensor<1x1x4x1024x1024xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x1024x1024xf32>, tensor<f32>) -> tensor<1x1x4x1024xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x4x1024xf32>) -> tensor<1x1x4x1024x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x1024x1xf32>) -> tensor<1x1x4x1024x1024xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x1x4x1024x1024xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<1x1x4x1024x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x4x1024x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<1x1x4x1024x1xf32>
    %20 = stablehlo.dot_general %arg3, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x4x32xf32>, tensor<1x1x4x1024x1024xf32>) -> tensor<1x4x32x1x1024xf32>
    %21 = stablehlo.transpose %20, dims = [3, 0, 4, 1, 2] : (tensor<1x4x32x1x1024xf32>) -> tensor<1x1x1024x4x32xf32>
    %22 = stablehlo.transpose %21, dims = [1, 2, 3, 0, 4] : (tensor<1x1x1024x4x32xf32>) -> tensor<1x1024x4x1x32xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x1024x4x1x32xf32>) -> tensor<1x1024x4x32xf32>
    %24 = stablehlo.reshape %arg0 : (tensor<1x1024x4x32xf32>) -> tensor<1x1024x4x1x32xf32>
    %25 = stablehlo.transpose %24, dims = [3, 0, 1, 2, 4] : (tensor<1x1024x4x1x32xf32>) -> tensor<1x1x1024x4x32xf32>
    %26 = stablehlo.transpose %25, dims = [1, 3, 4, 0, 2] : (tensor<1x1x1024x4x32xf32>) -> tensor<1x4x32x1x1024xf32>
    %27 = stablehlo.dot_general %26, %arg3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x32x1x1024xf32>, tensor<1x1024x4x32xf32>) -> tensor<1x4x1x1024x1024xf32>
    %28 = stablehlo.transpose %27, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x1024x1024xf32>) -> tensor<1x1x4x1024x1024xf32>
    %29 = stablehlo.dot_general %26, %16, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x32x1x1024xf32>, tensor<1x1x4x1024x1024xf32>) -> tensor<1x4x32x1024xf32>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<1x4x32x1024xf32>) -> tensor<1x1024x4x32xf32>
    %31 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x1024x1xf32>) -> tensor<1x1x4x1024x1024xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<1x1x4x1024x1024xf32>
    %33 = stablehlo.multiply %32, %12 : tensor<1x1x4x1024x1024xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x1024x1024xf32>, tensor<f32>) -> tensor<1x1x4x1024xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x1x4x1024xf32>) -> tensor<1x1x4x1024x1xf32>
    %36 = stablehlo.negate %35 : tensor<1x1x4x1024x1xf32>
    %37 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x1024x1xf32>) -> tensor<1x1x4x1024x1024xf32>
    %38 = stablehlo.divide %28, %37 : tensor<1x1x4x1024x1024xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%36 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 4] : (tensor<1x1x4x1024x1xf32>, tensor<f32>) -> tensor<4x1024xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [2, 3] : (tensor<4x1024xf32>) -> tensor<1x1x4x1024xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x4x1024xf32>) -> tensor<1x1x4x1024x1024xf32>
    %42 = stablehlo.add %38, %41 : tensor<1x1x4x1024x1024xf32>
    %43 = stablehlo.multiply %42, %12 : tensor<1x1x4x1024x1024xf32>
    %44 = stablehlo.transpose %43, dims = [1, 2, 3, 0, 4] : (tensor<1x1x4x1024x1024xf32>) -> tensor<1x4x1024x1x1024xf32>
    %cst_6 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x4x1024x1x1024xf32>
    %46 = stablehlo.multiply %44, %45 : tensor<1x4x1024x1x1024xf32>
    %47 = stablehlo.dot_general %46, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x1024x1x1024xf32>, tensor<1x1024x4x1x32xf32>) -> tensor<1x4x1024x32xf32>
    %48 = stablehlo.transpose %47, dims = [0, 2, 1, 3] : (tensor<1x4x1024x32xf32>) -> tensor<1x1024x4x32xf32>
    %49 = stablehlo.dot_general %46, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x1024x1x1024xf32>, tensor<1x1024x4x32xf32>) -> tensor<1x4x1024x1x32xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1, 3, 4] : (tensor<1x4x1024x1x32xf32>) -> tensor<1x1024x4x1x32xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x1024x4x1x32xf32>) -> tensor<1x1024x4x32xf32>
    return %23, %51, %48, %30 : tensor<1x1024x4x32xf32>, tensor<1x1024x4x32xf32>, tensor<1x1024x4x32xf32>, tensor<1x1024x4x32xf32>
  }
}
