// Two products stand in one kernel on a GPU where a block has rows of the first one's result whole: attention, whose scores are nowhere in memory; of f32, of halves on
// tensor cores, of f32 in tf32; masks, views, edges, batches, what maps the second one's result. The bits are those of kernels of their own, with Echo on and off.
// Under sanitizers it takes most of a minute, nearly all of it the emulated device, which shorter tests of it go through as well.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=2e-3 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=8e-3 --atol=8e-3 --outputs=%t/tf32.npz
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --tf32 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=loops --target=sm_75 -o %t/old.mlir
// RUN: python3 -c "import json; f, a = (json.load(open('%t/%%s.json' %% n)) for n in ('kernels', 'alone')); k, o = ([x for x in j['kernels'] if x['launches']] for j in (f, a)); assert sorted(x['kind'] for x in k) == ['contraction'] * 6, k; assert len(o) == 20, len(o); assert f['planned_arena_bytes'] == 0, f; assert sum(x['roofline_ns'] for x in k) < sum(x['roofline_ns'] for x in o); assert all(x['bank_conflicts'] == 0 for x in k if x['tensor_flops'] == 0), k"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// CHECK-LABEL: .entry contraction_0__0(
// CHECK:       fma.rn
// CHECK:       st.shared
// CHECK:       shfl.sync.down
// CHECK:       bar.sync
// CHECK:       fma.rn
// CHECK:       st.global
// CHECK:       ret;
  func.func public @main(%arg0: tensor<2x6x96x32xf32>, %arg1: tensor<2x6x96x32xf32>, %arg2: tensor<2x6x96x32xf32>, %arg3: tensor<3x70x4x16xf32>, %arg4: tensor<3x70x4x16xf32>, %arg5: tensor<3x70x4x16xf32>, %arg6: tensor<2x5x81x24xf16>, %arg7: tensor<2x5x57x24xf16>, %arg8: tensor<2x5x57x20xf16>, %arg9: tensor<2x1x81x57xf16>, %arg10: tensor<2x16x64x32xbf16>, %arg11: tensor<2x16x64x32xbf16>, %arg12: tensor<2x16x64x32xbf16>, %arg13: tensor<2080x24xf32>, %arg14: tensor<24x100xf32>, %arg15: tensor<100x36xf32>, %arg16: tensor<2080x36xf32>, %arg17: tensor<2x8x48x16xf32>, %arg18: tensor<2x8x48x16xf32>, %arg19: tensor<2x8x48x16xf32>) -> (tensor<2x6x96x32xf32>, tensor<3x70x4x16xf32>, tensor<2x5x81x20xf16>, tensor<2x16x64x32xbf16>, tensor<2080x36xf32>, tensor<2x8x48x16xf32>, tensor<2x8x48x48xf32>) {
    // Scores with a scale, their softmax, and what it weighs: nothing but the arguments is read.
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x96x32xf32>, tensor<2x6x96x32xf32>) -> tensor<2x6x96x96xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x96x96xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x6x96x96xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x6x96x96xf32>, tensor<f32>) -> tensor<2x6x96xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x96xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x6x96xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x6x96xf32>) -> tensor<2x6x96x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x6x96x1xf32>) -> tensor<2x6x96x96xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x6x96x96xf32>
    %9 = stablehlo.exponential %8 : tensor<2x6x96x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x6x96x96xf32>, tensor<f32>) -> tensor<2x6x96xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x6x96xf32>) -> tensor<2x6x96x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x6x96x1xf32>) -> tensor<2x6x96x96xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x6x96x96xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x96x96xf32>, tensor<2x6x96x32xf32>) -> tensor<2x6x96x32xf32>
    // Heads behind positions, a causal mask; the values are on the left, so that rows are columns of the result. Edges.
    %15 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<3x70x4x16xf32>, tensor<3x70x4x16xf32>) -> tensor<3x4x70x70xf32>
    %cst_3 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4x70x70xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<3x4x70x70xf32>
    %18 = stablehlo.iota dim = 0 : tensor<70x70xi32>
    %19 = stablehlo.iota dim = 1 : tensor<70x70xi32>
    %20 = stablehlo.compare GE, %18, %19, SIGNED : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
    %cst_4 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %21 = call @_where(%20, %17, %cst_4) : (tensor<70x70xi1>, tensor<3x4x70x70xf32>, tensor<f32>) -> tensor<3x4x70x70xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<3x4x70x70xf32>, tensor<f32>) -> tensor<3x4x70xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x4x70xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<3x4x70xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<3x4x70xf32>) -> tensor<3x4x70x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<3x4x70x1xf32>) -> tensor<3x4x70x70xf32>
    %27 = stablehlo.subtract %21, %26 : tensor<3x4x70x70xf32>
    %28 = stablehlo.exponential %27 : tensor<3x4x70x70xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<3x4x70x70xf32>, tensor<f32>) -> tensor<3x4x70xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<3x4x70xf32>) -> tensor<3x4x70x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<3x4x70x1xf32>) -> tensor<3x4x70x70xf32>
    %32 = stablehlo.divide %28, %31 : tensor<3x4x70x70xf32>
    %33 = stablehlo.dot_general %arg5, %32, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<3x70x4x16xf32>, tensor<3x4x70x70xf32>) -> tensor<3x4x16x70xf32>
    %34 = stablehlo.transpose %33, dims = [0, 3, 1, 2] : (tensor<3x4x16x70xf32>) -> tensor<3x70x4x16xf32>
    // Of f16, with a mask that is added; edges everywhere.
    %35 = stablehlo.dot_general %arg6, %arg7, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x81x24xf16>, tensor<2x5x57x24xf16>) -> tensor<2x5x81x57xf16>
    %cst_8 = stablehlo.constant dense<1.999510e-01> : tensor<f16>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f16>) -> tensor<2x5x81x57xf16>
    %37 = stablehlo.multiply %35, %36 : tensor<2x5x81x57xf16>
    %38 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1, 2, 3] : (tensor<2x1x81x57xf16>) -> tensor<2x5x81x57xf16>
    %39 = stablehlo.add %37, %38 : tensor<2x5x81x57xf16>
    %cst_9 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x5x81x57xf16>, tensor<f16>) -> tensor<2x5x81xf16>
    %cst_10 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f16>) -> tensor<2x5x81xf16>
    %42 = stablehlo.maximum %41, %40 : tensor<2x5x81xf16>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x5x81xf16>) -> tensor<2x5x81x1xf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<2x5x81x1xf16>) -> tensor<2x5x81x57xf16>
    %45 = stablehlo.subtract %39, %44 : tensor<2x5x81x57xf16>
    %46 = stablehlo.exponential %45 : tensor<2x5x81x57xf16>
    %47 = stablehlo.convert %46 : (tensor<2x5x81x57xf16>) -> tensor<2x5x81x57xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x5x81x57xf32>, tensor<f32>) -> tensor<2x5x81xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x5x81xf32>) -> tensor<2x5x81x1xf32>
    %50 = stablehlo.convert %49 : (tensor<2x5x81x1xf32>) -> tensor<2x5x81x1xf16>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<2x5x81x1xf16>) -> tensor<2x5x81x57xf16>
    %52 = stablehlo.divide %46, %51 : tensor<2x5x81x57xf16>
    %53 = stablehlo.dot_general %52, %arg8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x81x57xf16>, tensor<2x5x57x20xf16>) -> tensor<2x5x81x20xf16>
    // Scores of bf16 in f32, weights rounded again.
    %54 = stablehlo.dot_general %arg10, %arg11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x64x32xbf16>, tensor<2x16x64x32xbf16>) -> tensor<2x16x64x64xf32>
    %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x16x64x64xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<2x16x64x64xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_13) applies stablehlo.maximum across dimensions = [3] : (tensor<2x16x64x64xf32>, tensor<f32>) -> tensor<2x16x64xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x16x64xf32>
    %59 = stablehlo.maximum %58, %57 : tensor<2x16x64xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<2x16x64xf32>) -> tensor<2x16x64x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<2x16x64x1xf32>) -> tensor<2x16x64x64xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<2x16x64x64xf32>
    %63 = stablehlo.exponential %62 : tensor<2x16x64x64xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x16x64x64xf32>, tensor<f32>) -> tensor<2x16x64xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<2x16x64xf32>) -> tensor<2x16x64x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<2x16x64x1xf32>) -> tensor<2x16x64x64xf32>
    %67 = stablehlo.divide %63, %66 : tensor<2x16x64x64xf32>
    %68 = stablehlo.convert %67 : (tensor<2x16x64x64xf32>) -> tensor<2x16x64x64xbf16>
    %69 = stablehlo.dot_general %68, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x64x64xbf16>, tensor<2x16x64x32xbf16>) -> tensor<2x16x64x32xbf16>
    // No reduction in between, one matrix, a residual behind.
    %70 = stablehlo.dot_general %arg13, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2080x24xf32>, tensor<24x100xf32>) -> tensor<2080x100xf32>
    %71 = call @relu(%70) : (tensor<2080x100xf32>) -> tensor<2080x100xf32>
    %72 = stablehlo.dot_general %71, %arg15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2080x100xf32>, tensor<100x36xf32>) -> tensor<2080x36xf32>
    %73 = stablehlo.add %72, %arg16 : tensor<2080x36xf32>
    // The weights are a result, too, and are written on the way.
    %74 = stablehlo.dot_general %arg17, %arg18, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x48x16xf32>, tensor<2x8x48x16xf32>) -> tensor<2x8x48x48xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_16) applies stablehlo.maximum across dimensions = [3] : (tensor<2x8x48x48xf32>, tensor<f32>) -> tensor<2x8x48xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x8x48xf32>
    %77 = stablehlo.maximum %76, %75 : tensor<2x8x48xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x8x48xf32>) -> tensor<2x8x48x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<2x8x48x1xf32>) -> tensor<2x8x48x48xf32>
    %80 = stablehlo.subtract %74, %79 : tensor<2x8x48x48xf32>
    %81 = stablehlo.exponential %80 : tensor<2x8x48x48xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<2x8x48x48xf32>, tensor<f32>) -> tensor<2x8x48xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x8x48xf32>) -> tensor<2x8x48x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x8x48x1xf32>) -> tensor<2x8x48x48xf32>
    %85 = stablehlo.divide %81, %84 : tensor<2x8x48x48xf32>
    %86 = stablehlo.dot_general %85, %arg19, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x48x48xf32>, tensor<2x8x48x16xf32>) -> tensor<2x8x48x16xf32>
    return %14, %34, %53, %69, %73, %86, %85 : tensor<2x6x96x32xf32>, tensor<3x70x4x16xf32>, tensor<2x5x81x20xf16>, tensor<2x16x64x32xbf16>, tensor<2080x36xf32>, tensor<2x8x48x16xf32>, tensor<2x8x48x48xf32>
  }
  func.func private @_where(%arg0: tensor<70x70xi1>, %arg1: tensor<3x4x70x70xf32>, %arg2: tensor<f32>) -> tensor<3x4x70x70xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<70x70xi1>) -> tensor<3x4x70x70xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4x70x70xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<3x4x70x70xi1>, tensor<3x4x70x70xf32>
    return %3 : tensor<3x4x70x70xf32>
  }
  func.func private @relu(%arg0: tensor<2080x100xf32>) -> tensor<2080x100xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2080x100xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2080x100xf32>
    return %1 : tensor<2080x100xf32>
  }
