// Two products in one kernel, whose rows in between others read later: what a gradient asks for of scores, which are results, too, is written by who multiplies them, as rows and as one element each, over what it is made of where nobody else reads that;
// the rows of a gradient are multiplied where they are made. Of f32 and of halves on tensor cores. The bits are those of kernels of their own, with Echo on and off.
// Under sanitizers it takes most of a minute, nearly all of it the emulated device, which shorter tests of it go through as well.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-2 --atol=1e-2 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=2e-2 --atol=2e-2 --outputs=%t/tf32.npz
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --tf32 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; f, a = (json.load(open('%t/%%s.json' %% n)) for n in ('kernels', 'alone')); k, o = ([x for x in j['kernels'] if x['launches']] for j in (f, a)); t, u = (sum(x['launches'] * x['roofline_ns'] for x in j) for j in (k, o)); n, m = (sum(x['launches'] for x in j) for j in (k, o)); assert (n, m) == (7, 20) and t < u, (n, m, t, u); assert all(x['bank_conflicts'] == 0 for x in k if x['tensor_flops'] == 0), k"
// RUN: echo-opt %s --to=kernels --target=sm_80 | FileCheck %s

// What the gradient reads is written with the product of the weights: the exponentials and their sums.
// CHECK-LABEL: sym_name = "contraction_0"
// CHECK:       stablehlo.dot_general
// CHECK:       stablehlo.dot_general
// CHECK:       "kernel.return"
  func.func public @main(%arg0: tensor<2x8x80x16xf32>, %arg1: tensor<2x8x80x16xf32>, %arg2: tensor<2x8x80x16xf32>, %arg3: tensor<2x8x80x16xf32>, %arg4: tensor<4x16x64x32xbf16>, %arg5: tensor<4x16x64x32xbf16>, %arg6: tensor<4x16x64x32xbf16>, %arg7: tensor<4x16x64x32xbf16>, %arg8: tensor<4x200x24xf32>, %arg9: tensor<4x72x24xf32>, %arg10: tensor<4x200x72xf32>, %arg11: tensor<4x72x20xf32>, %arg12: tensor<4x200x1xf32>) -> (tensor<2x8x80x80xf32>, tensor<4x16x64x64xbf16>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<4x16x64x32xbf16>, tensor<4x16x64x32xbf16>, tensor<4x200x20xf32>, tensor<4x200x72xf32>, tensor<4x200xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>) -> tensor<2x8x80x80xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x80x80xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x8x80x80xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x8x80x80xf32>, tensor<f32>) -> tensor<2x8x80xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x80xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x8x80xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x8x80xf32>) -> tensor<2x8x80x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x8x80x1xf32>) -> tensor<2x8x80x80xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x8x80x80xf32>
    %9 = stablehlo.exponential %8 : tensor<2x8x80x80xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x8x80x80xf32>, tensor<f32>) -> tensor<2x8x80xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x8x80xf32>) -> tensor<2x8x80x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x8x80x1xf32>) -> tensor<2x8x80x80xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x8x80x80xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<2x8x80x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8x80x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<2x8x80x1xf32>
    %17 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x80xf32>, tensor<2x8x80x16xf32>) -> tensor<2x8x80x16xf32>
    %18 = stablehlo.dot_general %arg3, %13, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x16xf32>, tensor<2x8x80x80xf32>) -> tensor<2x8x16x80xf32>
    %19 = stablehlo.transpose %18, dims = [0, 1, 3, 2] : (tensor<2x8x16x80xf32>) -> tensor<2x8x80x16xf32>
    %20 = stablehlo.dot_general %arg3, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>) -> tensor<2x8x80x80xf32>
    %21 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x8x80x1xf32>) -> tensor<2x8x80x80xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x8x80x80xf32>
    %23 = stablehlo.multiply %22, %9 : tensor<2x8x80x80xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x8x80x80xf32>, tensor<f32>) -> tensor<2x8x80xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x8x80xf32>) -> tensor<2x8x80x1xf32>
    %26 = stablehlo.negate %25 : tensor<2x8x80x1xf32>
    %27 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x8x80x1xf32>) -> tensor<2x8x80x80xf32>
    %28 = stablehlo.divide %20, %27 : tensor<2x8x80x80xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%26 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x8x80x1xf32>, tensor<f32>) -> tensor<2x8x80xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x8x80xf32>) -> tensor<2x8x80x80xf32>
    %31 = stablehlo.add %28, %30 : tensor<2x8x80x80xf32>
    %32 = stablehlo.multiply %31, %9 : tensor<2x8x80x80xf32>
    %cst_6 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8x80x80xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<2x8x80x80xf32>
    %35 = stablehlo.dot_general %34, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x80xf32>, tensor<2x8x80x16xf32>) -> tensor<2x8x80x16xf32>
    %36 = stablehlo.dot_general %34, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x80x80xf32>, tensor<2x8x80x16xf32>) -> tensor<2x8x80x16xf32>
    %37 = stablehlo.dot_general %arg4, %arg5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64x32xbf16>, tensor<4x16x64x32xbf16>) -> tensor<4x16x64x64xbf16>
    %cst_7 = stablehlo.constant dense<1.250000e-01> : tensor<bf16>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<4x16x64x64xbf16>
    %39 = stablehlo.multiply %37, %38 : tensor<4x16x64x64xbf16>
    %cst_8 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %40 = stablehlo.reduce(%39 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<4x16x64x64xbf16>, tensor<bf16>) -> tensor<4x16x64xbf16>
    %cst_9 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<4x16x64xbf16>
    %42 = stablehlo.maximum %41, %40 : tensor<4x16x64xbf16>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<4x16x64xbf16>) -> tensor<4x16x64x1xbf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<4x16x64x1xbf16>) -> tensor<4x16x64x64xbf16>
    %45 = stablehlo.subtract %39, %44 : tensor<4x16x64x64xbf16>
    %46 = stablehlo.exponential %45 : tensor<4x16x64x64xbf16>
    %47 = stablehlo.convert %46 : (tensor<4x16x64x64xbf16>) -> tensor<4x16x64x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<4x16x64x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<4x16x64xf32>) -> tensor<4x16x64x1xf32>
    %50 = stablehlo.convert %49 : (tensor<4x16x64x1xf32>) -> tensor<4x16x64x1xbf16>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<4x16x64x1xbf16>) -> tensor<4x16x64x64xbf16>
    %52 = stablehlo.divide %46, %51 : tensor<4x16x64x64xbf16>
    %53 = stablehlo.multiply %50, %50 : tensor<4x16x64x1xbf16>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<4x16x64x1xbf16>
    %55 = stablehlo.divide %54, %53 : tensor<4x16x64x1xbf16>
    %56 = stablehlo.dot_general %52, %arg6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64x64xbf16>, tensor<4x16x64x32xbf16>) -> tensor<4x16x64x32xbf16>
    %57 = stablehlo.dot_general %arg7, %arg6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64x32xbf16>, tensor<4x16x64x32xbf16>) -> tensor<4x16x64x64xbf16>
    %58 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<4x16x64x1xbf16>) -> tensor<4x16x64x64xbf16>
    %59 = stablehlo.multiply %57, %58 : tensor<4x16x64x64xbf16>
    %60 = stablehlo.multiply %59, %46 : tensor<4x16x64x64xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %61 = stablehlo.reduce(%60 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<4x16x64x64xbf16>, tensor<bf16>) -> tensor<4x16x64xbf16>
    %62 = stablehlo.reshape %61 : (tensor<4x16x64xbf16>) -> tensor<4x16x64x1xbf16>
    %63 = stablehlo.negate %62 : tensor<4x16x64x1xbf16>
    %64 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<4x16x64x1xbf16>) -> tensor<4x16x64x64xbf16>
    %65 = stablehlo.divide %57, %64 : tensor<4x16x64x64xbf16>
    %66 = stablehlo.convert %63 : (tensor<4x16x64x1xbf16>) -> tensor<4x16x64x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<4x16x64x1xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<4x16x64xf32>) -> tensor<4x16x64x64xf32>
    %69 = stablehlo.convert %68 : (tensor<4x16x64x64xf32>) -> tensor<4x16x64x64xbf16>
    %70 = stablehlo.add %65, %69 : tensor<4x16x64x64xbf16>
    %71 = stablehlo.multiply %70, %46 : tensor<4x16x64x64xbf16>
    %cst_14 = stablehlo.constant dense<1.250000e-01> : tensor<bf16>
    %72 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<4x16x64x64xbf16>
    %73 = stablehlo.multiply %71, %72 : tensor<4x16x64x64xbf16>
    %74 = stablehlo.dot_general %73, %arg5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64x64xbf16>, tensor<4x16x64x32xbf16>) -> tensor<4x16x64x32xbf16>
    %75 = call @_flip(%arg10) : (tensor<4x200x72xf32>) -> tensor<4x200x72xf32>
    %76 = stablehlo.dot_general %arg8, %arg9, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x200x24xf32>, tensor<4x72x24xf32>) -> tensor<4x200x72xf32>
    %77 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1, 2] : (tensor<4x200x1xf32>) -> tensor<4x200x72xf32>
    %78 = stablehlo.subtract %76, %77 : tensor<4x200x72xf32>
    %79 = stablehlo.tanh %78 : tensor<4x200x72xf32>
    %80 = stablehlo.multiply %79, %75 : tensor<4x200x72xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<4x200x72xf32>, tensor<f32>) -> tensor<4x200xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<4x200xf32>) -> tensor<4x200x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<4x200x1xf32>) -> tensor<4x200x72xf32>
    %84 = stablehlo.multiply %80, %83 : tensor<4x200x72xf32>
    %85 = stablehlo.dot_general %84, %arg11, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x200x72xf32>, tensor<4x72x20xf32>) -> tensor<4x200x20xf32>
    return %9, %46, %17, %36, %35, %19, %56, %74, %85, %84, %81 : tensor<2x8x80x80xf32>, tensor<4x16x64x64xbf16>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<2x8x80x16xf32>, tensor<4x16x64x32xbf16>, tensor<4x16x64x32xbf16>, tensor<4x200x20xf32>, tensor<4x200x72xf32>, tensor<4x200xf32>
  }
  func.func private @_flip(%arg0: tensor<4x200x72xf32>) -> tensor<4x200x72xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2] : tensor<4x200x72xf32>
    return %0 : tensor<4x200x72xf32>
  }
