// Attention and its gradients stand in four kernels on a GPU, each of which makes the scores (and what weighs them in the gradient) again, by rows for the queries' sums and by columns for those of keys and values: no array of
// queries x keys is in memory, but for what a row's largest element and its sums are. Heads behind positions and a causal mask; of bf16 on tensor cores, with edges; a mask that is added, and dropout. The bits are those of kernels
// of their own, with Echo on and off, on both targets.
// Under sanitizers it takes most of a minute, nearly all of it the emulated device, which shorter tests of it go through as well.
// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-2 --atol=2e-2 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-opt %s --to=scheduled --target=sm_80 -o %t/scheduled.mlir
// RUN: echo-opt %t/scheduled.mlir --pass-pipeline='builtin.module(fuse{device=gpu-a100-40g})' -o %t/alone.mlir
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0 --kernels --json=%t/alone.json
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --tf32 --expect=%t/want.npz --rtol=3e-2 --atol=3e-2 --outputs=%t/tf32.npz
// RUN: echo-run %t/alone.mlir --device=cuda --quiet --tf32 --expect=%t/tf32.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; f, a = (json.load(open('%t/%%s.json' %% n)) for n in ('kernels', 'alone')); k, o = ([x for x in j['kernels'] if x['launches']] for j in (f, a)); t, u = (sum(x['launches'] * x['roofline_ns'] for x in j) for j in (k, o)); assert [x['kind'] for x in k] == ['contraction'] * 16, k; assert t < u, (t, u); assert f['planned_arena_bytes'] < 2 * 3 * 52 * 52 * 4, f['planned_arena_bytes']; assert all(x['bank_conflicts'] == 0 for x in k if x['tensor_flops'] == 0), k"
// RUN: echo-opt %s --to=kernels --target=sm_80 | FileCheck %s

// The kernel of the queries' gradient has two products before its own, and writes what the keys' reads of its rows.
// CHECK-LABEL: sym_name = "contraction_1"
// CHECK:       stablehlo.dot_general
// CHECK:       stablehlo.dot_general
// CHECK:       stablehlo.reduce
// CHECK:       stablehlo.dot_general
// CHECK:       "kernel.return"(%{{.*}}, %{{.*}}) : (tensor<{{.*}}6x64xf32>, tensor<1x6x64x16xf32>)
// That of the keys' gradient has the same two, whose columns it multiplies, and no sum over rows.
// CHECK:       kernel.func
// CHECK:       stablehlo.dot_general
// CHECK:       stablehlo.dot_general
// CHECK-NOT:   stablehlo.reduce
// CHECK:       stablehlo.dot_general
// CHECK:       "kernel.return"(%{{.*}}) : (tensor<1x6x64x16xf32>)
  func.func public @main(%arg0: tensor<1x6x64x16xf32>, %arg1: tensor<1x6x64x16xf32>, %arg2: tensor<1x6x64x16xf32>, %arg3: tensor<1x6x64x16xf32>, %arg4: tensor<2x52x3x16xf32>, %arg5: tensor<2x52x3x16xf32>, %arg6: tensor<2x52x3x16xf32>, %arg7: tensor<2x52x3x16xf32>, %arg8: tensor<2x4x81x32xbf16>, %arg9: tensor<2x4x57x32xbf16>, %arg10: tensor<2x4x57x24xbf16>, %arg11: tensor<2x4x81x24xbf16>, %arg12: tensor<2x3x72x16xf32>, %arg13: tensor<2x3x72x16xf32>, %arg14: tensor<2x3x72x16xf32>, %arg15: tensor<2x3x72x16xf32>, %arg16: tensor<72x72xf32>, %arg17: tensor<2x3x72x72xi1>) -> (tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x4x81x24xbf16>, tensor<2x4x81x32xbf16>, tensor<2x4x57x32xbf16>, tensor<2x4x57x24xbf16>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>) -> tensor<1x6x64x64xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x64x64xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x6x64x64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x6x64x64xf32>, tensor<f32>) -> tensor<1x6x64xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<1x6x64xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x6x64xf32>) -> tensor<1x6x64x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x6x64x1xf32>) -> tensor<1x6x64x64xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<1x6x64x64xf32>
    %9 = stablehlo.exponential %8 : tensor<1x6x64x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x6x64x64xf32>, tensor<f32>) -> tensor<1x6x64xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x6x64xf32>) -> tensor<1x6x64x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x6x64x1xf32>) -> tensor<1x6x64x64xf32>
    %13 = stablehlo.divide %9, %12 : tensor<1x6x64x64xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<1x6x64x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x6x64x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<1x6x64x1xf32>
    %17 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x64xf32>, tensor<1x6x64x16xf32>) -> tensor<1x6x64x16xf32>
    %18 = stablehlo.dot_general %arg3, %13, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x16xf32>, tensor<1x6x64x64xf32>) -> tensor<1x6x16x64xf32>
    %19 = stablehlo.transpose %18, dims = [0, 1, 3, 2] : (tensor<1x6x16x64xf32>) -> tensor<1x6x64x16xf32>
    %20 = stablehlo.dot_general %arg3, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>) -> tensor<1x6x64x64xf32>
    %21 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x6x64x1xf32>) -> tensor<1x6x64x64xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<1x6x64x64xf32>
    %23 = stablehlo.multiply %22, %9 : tensor<1x6x64x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<1x6x64x64xf32>, tensor<f32>) -> tensor<1x6x64xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x6x64xf32>) -> tensor<1x6x64x1xf32>
    %26 = stablehlo.negate %25 : tensor<1x6x64x1xf32>
    %27 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x6x64x1xf32>) -> tensor<1x6x64x64xf32>
    %28 = stablehlo.divide %20, %27 : tensor<1x6x64x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%26 init: %cst_5) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x6x64x1xf32>, tensor<f32>) -> tensor<6x64xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<6x64xf32>) -> tensor<1x6x64xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x6x64xf32>) -> tensor<1x6x64x64xf32>
    %32 = stablehlo.add %28, %31 : tensor<1x6x64x64xf32>
    %33 = stablehlo.multiply %32, %9 : tensor<1x6x64x64xf32>
    %cst_6 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x6x64x64xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<1x6x64x64xf32>
    %36 = stablehlo.dot_general %35, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x64xf32>, tensor<1x6x64x16xf32>) -> tensor<1x6x64x16xf32>
    %37 = stablehlo.dot_general %35, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64x64xf32>, tensor<1x6x64x16xf32>) -> tensor<1x6x64x16xf32>
    %38 = stablehlo.reshape %arg4 : (tensor<2x52x3x16xf32>) -> tensor<2x52x3x1x16xf32>
    %39 = stablehlo.dot_general %38, %arg5, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x52x3x1x16xf32>, tensor<2x52x3x16xf32>) -> tensor<2x3x52x1x52xf32>
    %cst_7 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3x52x1x52xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<2x3x52x1x52xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %42 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x3x52x52xi1>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %43 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i1>) -> tensor<52x52xi1>
    %44 = call @tril(%43) : (tensor<52x52xi1>) -> tensor<52x52xi1>
    %45 = stablehlo.broadcast_in_dim %44, dims = [2, 3] : (tensor<52x52xi1>) -> tensor<1x1x52x52xi1>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x52x52xi1>) -> tensor<2x3x52x52xi1>
    %47 = stablehlo.and %42, %46 : tensor<2x3x52x52xi1>
    %cst_9 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %48:2 = call @_where(%47, %41, %cst_9) : (tensor<2x3x52x52xi1>, tensor<2x3x52x1x52xf32>, tensor<f32>) -> (tensor<1x2x3x52x52xf32>, tensor<1x2x3x52x52xi1>)
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.reduce(%48#0 init: %cst_10) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x3x52x52xf32>, tensor<f32>) -> tensor<1x2x3x52xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x2x3x52xf32>
    %51 = stablehlo.maximum %50, %49 : tensor<1x2x3x52xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x2x3x52xf32>) -> tensor<1x2x3x52x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x52x1xf32>) -> tensor<1x2x3x52x52xf32>
    %54 = stablehlo.subtract %48#0, %53 : tensor<1x2x3x52x52xf32>
    %55 = stablehlo.exponential %54 : tensor<1x2x3x52x52xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_12) applies stablehlo.add across dimensions = [4] : (tensor<1x2x3x52x52xf32>, tensor<f32>) -> tensor<1x2x3x52xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x2x3x52xf32>) -> tensor<1x2x3x52x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x52x1xf32>) -> tensor<1x2x3x52x52xf32>
    %59 = stablehlo.divide %55, %58 : tensor<1x2x3x52x52xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<1x2x3x52x1xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x2x3x52x1xf32>
    %62 = stablehlo.divide %61, %60 : tensor<1x2x3x52x1xf32>
    %63 = stablehlo.dot_general %arg6, %59, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x52x3x16xf32>, tensor<1x2x3x52x52xf32>) -> tensor<2x3x16x1x52xf32>
    %64 = stablehlo.transpose %63, dims = [3, 0, 4, 1, 2] : (tensor<2x3x16x1x52xf32>) -> tensor<1x2x52x3x16xf32>
    %65 = stablehlo.transpose %64, dims = [1, 2, 3, 0, 4] : (tensor<1x2x52x3x16xf32>) -> tensor<2x52x3x1x16xf32>
    %66 = stablehlo.reshape %65 : (tensor<2x52x3x1x16xf32>) -> tensor<2x52x3x16xf32>
    %67 = stablehlo.reshape %arg7 : (tensor<2x52x3x16xf32>) -> tensor<2x52x3x1x16xf32>
    %68 = stablehlo.transpose %67, dims = [3, 0, 1, 2, 4] : (tensor<2x52x3x1x16xf32>) -> tensor<1x2x52x3x16xf32>
    %69 = stablehlo.transpose %68, dims = [1, 3, 4, 0, 2] : (tensor<1x2x52x3x16xf32>) -> tensor<2x3x16x1x52xf32>
    %70 = stablehlo.dot_general %69, %arg6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x16x1x52xf32>, tensor<2x52x3x16xf32>) -> tensor<2x3x1x52x52xf32>
    %71 = stablehlo.transpose %70, dims = [2, 0, 1, 3, 4] : (tensor<2x3x1x52x52xf32>) -> tensor<1x2x3x52x52xf32>
    %72 = stablehlo.dot_general %69, %59, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x16x1x52xf32>, tensor<1x2x3x52x52xf32>) -> tensor<2x3x16x52xf32>
    %73 = stablehlo.transpose %72, dims = [0, 3, 1, 2] : (tensor<2x3x16x52xf32>) -> tensor<2x52x3x16xf32>
    %74 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x52x1xf32>) -> tensor<1x2x3x52x52xf32>
    %75 = stablehlo.multiply %71, %74 : tensor<1x2x3x52x52xf32>
    %76 = stablehlo.multiply %75, %55 : tensor<1x2x3x52x52xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_14) applies stablehlo.add across dimensions = [4] : (tensor<1x2x3x52x52xf32>, tensor<f32>) -> tensor<1x2x3x52xf32>
    %78 = stablehlo.reshape %77 : (tensor<1x2x3x52xf32>) -> tensor<1x2x3x52x1xf32>
    %79 = stablehlo.negate %78 : tensor<1x2x3x52x1xf32>
    %80 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x52x1xf32>) -> tensor<1x2x3x52x52xf32>
    %81 = stablehlo.divide %71, %80 : tensor<1x2x3x52x52xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%79 init: %cst_15) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x3x52x1xf32>, tensor<f32>) -> tensor<2x3x52xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [1, 2, 3] : (tensor<2x3x52xf32>) -> tensor<1x2x3x52xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<1x2x3x52xf32>) -> tensor<1x2x3x52x52xf32>
    %85 = stablehlo.add %81, %84 : tensor<1x2x3x52x52xf32>
    %86 = stablehlo.multiply %85, %55 : tensor<1x2x3x52x52xf32>
    %87 = call @_where_0(%48#1, %86) : (tensor<1x2x3x52x52xi1>, tensor<1x2x3x52x52xf32>) -> tensor<2x3x52x1x52xf32>
    %cst_16 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x3x52x1x52xf32>
    %89 = stablehlo.multiply %87, %88 : tensor<2x3x52x1x52xf32>
    %90 = stablehlo.dot_general %89, %38, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x52x1x52xf32>, tensor<2x52x3x1x16xf32>) -> tensor<2x3x52x16xf32>
    %91 = stablehlo.transpose %90, dims = [0, 2, 1, 3] : (tensor<2x3x52x16xf32>) -> tensor<2x52x3x16xf32>
    %92 = stablehlo.dot_general %89, %arg5, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x52x1x52xf32>, tensor<2x52x3x16xf32>) -> tensor<2x3x52x1x16xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3, 4] : (tensor<2x3x52x1x16xf32>) -> tensor<2x52x3x1x16xf32>
    %94 = stablehlo.reshape %93 : (tensor<2x52x3x1x16xf32>) -> tensor<2x52x3x16xf32>
    %95 = stablehlo.dot_general %arg8, %arg9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x32xbf16>, tensor<2x4x57x32xbf16>) -> tensor<2x4x81x57xbf16>
    %cst_17 = stablehlo.constant dense<2.500000e-01> : tensor<bf16>
    %96 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<2x4x81x57xbf16>
    %97 = stablehlo.multiply %95, %96 : tensor<2x4x81x57xbf16>
    %cst_18 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %98 = stablehlo.reduce(%97 init: %cst_18) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x81x57xbf16>, tensor<bf16>) -> tensor<2x4x81xbf16>
    %cst_19 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %99 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<2x4x81xbf16>
    %100 = stablehlo.maximum %99, %98 : tensor<2x4x81xbf16>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<2x4x81xbf16>) -> tensor<2x4x81x1xbf16>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<2x4x81x1xbf16>) -> tensor<2x4x81x57xbf16>
    %103 = stablehlo.subtract %97, %102 : tensor<2x4x81x57xbf16>
    %104 = stablehlo.exponential %103 : tensor<2x4x81x57xbf16>
    %105 = stablehlo.convert %104 : (tensor<2x4x81x57xbf16>) -> tensor<2x4x81x57xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_20) applies stablehlo.add across dimensions = [3] : (tensor<2x4x81x57xf32>, tensor<f32>) -> tensor<2x4x81xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<2x4x81xf32>) -> tensor<2x4x81x1xf32>
    %108 = stablehlo.convert %107 : (tensor<2x4x81x1xf32>) -> tensor<2x4x81x1xbf16>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3] : (tensor<2x4x81x1xbf16>) -> tensor<2x4x81x57xbf16>
    %110 = stablehlo.divide %104, %109 : tensor<2x4x81x57xbf16>
    %111 = stablehlo.multiply %108, %108 : tensor<2x4x81x1xbf16>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %112 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<bf16>) -> tensor<2x4x81x1xbf16>
    %113 = stablehlo.divide %112, %111 : tensor<2x4x81x1xbf16>
    %114 = stablehlo.dot_general %110, %arg10, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x57xbf16>, tensor<2x4x57x24xbf16>) -> tensor<2x4x81x24xbf16>
    %115 = stablehlo.dot_general %arg11, %110, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x24xbf16>, tensor<2x4x81x57xbf16>) -> tensor<2x4x24x57xbf16>
    %116 = stablehlo.transpose %115, dims = [0, 1, 3, 2] : (tensor<2x4x24x57xbf16>) -> tensor<2x4x57x24xbf16>
    %117 = stablehlo.dot_general %arg11, %arg10, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x24xbf16>, tensor<2x4x57x24xbf16>) -> tensor<2x4x81x57xbf16>
    %118 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<2x4x81x1xbf16>) -> tensor<2x4x81x57xbf16>
    %119 = stablehlo.multiply %117, %118 : tensor<2x4x81x57xbf16>
    %120 = stablehlo.multiply %119, %104 : tensor<2x4x81x57xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %121 = stablehlo.reduce(%120 init: %cst_22) applies stablehlo.add across dimensions = [3] : (tensor<2x4x81x57xbf16>, tensor<bf16>) -> tensor<2x4x81xbf16>
    %122 = stablehlo.reshape %121 : (tensor<2x4x81xbf16>) -> tensor<2x4x81x1xbf16>
    %123 = stablehlo.negate %122 : tensor<2x4x81x1xbf16>
    %124 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3] : (tensor<2x4x81x1xbf16>) -> tensor<2x4x81x57xbf16>
    %125 = stablehlo.divide %117, %124 : tensor<2x4x81x57xbf16>
    %126 = stablehlo.convert %123 : (tensor<2x4x81x1xbf16>) -> tensor<2x4x81x1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_23) applies stablehlo.add across dimensions = [3] : (tensor<2x4x81x1xf32>, tensor<f32>) -> tensor<2x4x81xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<2x4x81xf32>) -> tensor<2x4x81x57xf32>
    %129 = stablehlo.convert %128 : (tensor<2x4x81x57xf32>) -> tensor<2x4x81x57xbf16>
    %130 = stablehlo.add %125, %129 : tensor<2x4x81x57xbf16>
    %131 = stablehlo.multiply %130, %104 : tensor<2x4x81x57xbf16>
    %cst_24 = stablehlo.constant dense<2.500000e-01> : tensor<bf16>
    %132 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<bf16>) -> tensor<2x4x81x57xbf16>
    %133 = stablehlo.multiply %131, %132 : tensor<2x4x81x57xbf16>
    %134 = stablehlo.dot_general %133, %arg8, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x57xbf16>, tensor<2x4x81x32xbf16>) -> tensor<2x4x57x32xbf16>
    %135 = stablehlo.dot_general %133, %arg9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x81x57xbf16>, tensor<2x4x57x32xbf16>) -> tensor<2x4x81x32xbf16>
    %136 = stablehlo.dot_general %arg12, %arg13, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>) -> tensor<2x3x72x72xf32>
    %137 = stablehlo.broadcast_in_dim %arg16, dims = [2, 3] : (tensor<72x72xf32>) -> tensor<1x1x72x72xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x72x72xf32>) -> tensor<2x3x72x72xf32>
    %139 = stablehlo.add %136, %138 : tensor<2x3x72x72xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_25) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x72x72xf32>, tensor<f32>) -> tensor<2x3x72xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x3x72xf32>
    %142 = stablehlo.maximum %141, %140 : tensor<2x3x72xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<2x3x72xf32>) -> tensor<2x3x72x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2, 3] : (tensor<2x3x72x1xf32>) -> tensor<2x3x72x72xf32>
    %145 = stablehlo.subtract %139, %144 : tensor<2x3x72x72xf32>
    %146 = stablehlo.exponential %145 : tensor<2x3x72x72xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_27) applies stablehlo.add across dimensions = [3] : (tensor<2x3x72x72xf32>, tensor<f32>) -> tensor<2x3x72xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<2x3x72xf32>) -> tensor<2x3x72x1xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2, 3] : (tensor<2x3x72x1xf32>) -> tensor<2x3x72x72xf32>
    %150 = stablehlo.divide %146, %149 : tensor<2x3x72x72xf32>
    %151 = stablehlo.multiply %148, %148 : tensor<2x3x72x1xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x3x72x1xf32>
    %153 = stablehlo.divide %152, %151 : tensor<2x3x72x1xf32>
    %cst_29 = stablehlo.constant dense<1.250000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x3x72x72xf32>
    %155 = stablehlo.multiply %150, %154 : tensor<2x3x72x72xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %156 = call @_where_1(%arg17, %155, %c_30) : (tensor<2x3x72x72xi1>, tensor<2x3x72x72xf32>, tensor<i32>) -> tensor<2x3x72x72xf32>
    %157 = stablehlo.dot_general %156, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x72xf32>, tensor<2x3x72x16xf32>) -> tensor<2x3x72x16xf32>
    %158 = stablehlo.dot_general %arg15, %156, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x16xf32>, tensor<2x3x72x72xf32>) -> tensor<2x3x16x72xf32>
    %159 = stablehlo.transpose %158, dims = [0, 1, 3, 2] : (tensor<2x3x16x72xf32>) -> tensor<2x3x72x16xf32>
    %160 = stablehlo.dot_general %arg15, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>) -> tensor<2x3x72x72xf32>
    %161 = call @_where_2(%arg17, %160) : (tensor<2x3x72x72xi1>, tensor<2x3x72x72xf32>) -> tensor<2x3x72x72xf32>
    %cst_31 = stablehlo.constant dense<1.250000e+00> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x3x72x72xf32>
    %163 = stablehlo.multiply %161, %162 : tensor<2x3x72x72xf32>
    %164 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<2x3x72x1xf32>) -> tensor<2x3x72x72xf32>
    %165 = stablehlo.multiply %163, %164 : tensor<2x3x72x72xf32>
    %166 = stablehlo.multiply %165, %146 : tensor<2x3x72x72xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_32) applies stablehlo.add across dimensions = [3] : (tensor<2x3x72x72xf32>, tensor<f32>) -> tensor<2x3x72xf32>
    %168 = stablehlo.reshape %167 : (tensor<2x3x72xf32>) -> tensor<2x3x72x1xf32>
    %169 = stablehlo.negate %168 : tensor<2x3x72x1xf32>
    %170 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2, 3] : (tensor<2x3x72x1xf32>) -> tensor<2x3x72x72xf32>
    %171 = stablehlo.divide %163, %170 : tensor<2x3x72x72xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%169 init: %cst_33) applies stablehlo.add across dimensions = [3] : (tensor<2x3x72x1xf32>, tensor<f32>) -> tensor<2x3x72xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<2x3x72xf32>) -> tensor<2x3x72x72xf32>
    %174 = stablehlo.add %171, %173 : tensor<2x3x72x72xf32>
    %175 = stablehlo.multiply %174, %146 : tensor<2x3x72x72xf32>
    %176 = stablehlo.dot_general %175, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x72xf32>, tensor<2x3x72x16xf32>) -> tensor<2x3x72x16xf32>
    %177 = stablehlo.dot_general %175, %arg13, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x72x72xf32>, tensor<2x3x72x16xf32>) -> tensor<2x3x72x16xf32>
    return %17, %37, %36, %19, %66, %94, %91, %73, %114, %135, %134, %116, %157, %177, %176, %159 : tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<1x6x64x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x52x3x16xf32>, tensor<2x4x81x24xbf16>, tensor<2x4x81x32xbf16>, tensor<2x4x57x32xbf16>, tensor<2x4x57x24xbf16>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>, tensor<2x3x72x16xf32>
  }
  func.func private @tril(%arg0: tensor<52x52xi1>) -> tensor<52x52xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<52x52xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<52x52xi32>
    %2 = stablehlo.add %0, %1 : tensor<52x52xi32>
    %3 = stablehlo.iota dim = 1 : tensor<52x52xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<52x52xi32>, tensor<52x52xi32>) -> tensor<52x52xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<52x52xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<52x52xi1>, tensor<52x52xi1>
    return %6 : tensor<52x52xi1>
  }
  func.func private @_where(%arg0: tensor<2x3x52x52xi1>, %arg1: tensor<2x3x52x1x52xf32>, %arg2: tensor<f32>) -> (tensor<1x2x3x52x52xf32>, tensor<1x2x3x52x52xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x3x52x52xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x3x52x52xi1>) -> tensor<1x2x3x52x52xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x3x52x52xf32>) -> tensor<1x2x3x52x52xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x3x52x1x52xf32>) -> tensor<1x2x3x52x52xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x3x52x52xi1>, tensor<1x2x3x52x52xf32>
    return %4, %1 : tensor<1x2x3x52x52xf32>, tensor<1x2x3x52x52xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x3x52x52xi1>, %arg1: tensor<1x2x3x52x52xf32>) -> tensor<2x3x52x1x52xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x3x52x52xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x3x52x52xi1>, tensor<1x2x3x52x52xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x3x52x52xf32>) -> tensor<2x3x52x1x52xf32>
    return %2 : tensor<2x3x52x1x52xf32>
  }
  func.func private @_where_1(%arg0: tensor<2x3x72x72xi1>, %arg1: tensor<2x3x72x72xf32>, %arg2: tensor<i32>) -> tensor<2x3x72x72xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3x72x72xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x3x72x72xi1>, tensor<2x3x72x72xf32>
    return %2 : tensor<2x3x72x72xf32>
  }
  func.func private @_where_2(%arg0: tensor<2x3x72x72xi1>, %arg1: tensor<2x3x72x72xf32>) -> tensor<2x3x72x72xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x72x72xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x3x72x72xi1>, tensor<2x3x72x72xf32>
    return %1 : tensor<2x3x72x72xf32>
  }
