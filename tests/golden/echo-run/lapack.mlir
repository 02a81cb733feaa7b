// LAPACK by custom calls, as JAX exports jnp.linalg for a CPU: the residuals of a batch of Cholesky factors, LU with two triangular solves, QR, SVD and eigenvectors are small; the same bits on any number of threads.
// RUN: echo-run %s --no-cache --threads=1 --outputs=%t.npz | FileCheck %s
// RUN: echo-run %s --no-cache --threads=3 --echo --expect=%t.npz --rtol=0 --atol=0 | FileCheck %s
// RUN: echo-run %s --device=interpreter | FileCheck %s
// CHECK: res0 = [1, 1, 1, 1, 1]

module @linear_algebra {
  func.func public @main(%arg0: tensor<3x4x4xf32>, %arg1: tensor<3x4x2xf32>, %arg2: tensor<5x3xf32>) -> (tensor<5xi1>) {
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %0, %2 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %7 = stablehlo.dot_general %arg0, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %9 = stablehlo.multiply %8, %5 : tensor<4x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<3x4x4xf32>
    %12 = stablehlo.add %7, %11 : tensor<3x4x4xf32>
    %13:2 = stablehlo.custom_call @lapack_spotrf_ffi(%12) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>)
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %15 = stablehlo.compare EQ, %13#1, %14, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<3xi1>) -> tensor<3x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<3x1x1xi1>) -> tensor<3x4x4xi1>
    %19 = stablehlo.select %18, %13#0, %17 : tensor<3x4x4xi1>, tensor<3x4x4xf32>
    %20 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %22 = stablehlo.add %20, %21 : tensor<4x4xi32>
    %23 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<3x4x4xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %27 = stablehlo.select %25, %19, %26 : tensor<3x4x4xi1>, tensor<3x4x4xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1] : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %29 = stablehlo.dot_general %27, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %30 = stablehlo.subtract %29, %12 : tensor<3x4x4xf32>
    %31 = stablehlo.abs %30 : tensor<3x4x4xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_4) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<3x4x4xf32>, tensor<f32>) -> tensor<f32>
    %33:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%12) {backend_config = "", mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>)
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %35 = stablehlo.subtract %33#1, %34 : tensor<3x4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %37 = stablehlo.compare GE, %33#2, %36, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<3xi1>) -> tensor<3x1x1xi1>
    %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<3x1x1xi1>) -> tensor<3x4x4xi1>
    %41 = stablehlo.select %40, %33#0, %39 : tensor<3x4x4xi1>, tensor<3x4x4xf32>
    %42 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %43:4 = stablehlo.while(%iterArg = %35, %iterArg_24 = %c_9, %iterArg_25 = %c_8, %iterArg_26 = %42) : tensor<3x4xi32>, tensor<i32>, tensor<i32>, tensor<3x4xi32>
    cond {
      %c_27 = stablehlo.constant dense<4> : tensor<i32>
      %115 = stablehlo.compare LT, %iterArg_24, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %115 : tensor<i1>
    } do {
      %115:2 = func.call @closed_call(%iterArg, %iterArg_25, %iterArg_26) : (tensor<3x4xi32>, tensor<i32>, tensor<3x4xi32>) -> (tensor<i32>, tensor<3x4xi32>)
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %116 = stablehlo.add %iterArg_24, %c_27 : tensor<i32>
      stablehlo.return %iterArg, %116, %115#0, %115#1 : tensor<3x4xi32>, tensor<i32>, tensor<i32>, tensor<3x4xi32>
    }
    %44 = stablehlo.broadcast_in_dim %43#3, dims = [0, 1] : (tensor<3x4xi32>) -> tensor<3x4x1xi32>
    %45 = call @take_along_axis(%arg1, %44) : (tensor<3x4x2xf32>, tensor<3x4x1xi32>) -> tensor<3x4x2xf32>
    %46 = stablehlo.custom_call @lapack_strsm_ffi(%41, %45) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %47 = stablehlo.custom_call @lapack_strsm_ffi(%41, %46) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %48 = stablehlo.dot_general %12, %47, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %49 = stablehlo.subtract %48, %arg1 : tensor<3x4x2xf32>
    %50 = stablehlo.abs %49 : tensor<3x4x2xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_10) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<f32>
    %52:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%arg2) {backend_config = "", mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %53 = stablehlo.custom_call @lapack_sorgqr_ffi(%52#0, %52#1) {backend_config = "", mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %54 = stablehlo.slice %52#0 [0:3, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %55 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %c_11 = stablehlo.constant dense<-1> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %57 = stablehlo.add %55, %56 : tensor<3x3xi32>
    %58 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %59 = stablehlo.compare GE, %57, %58, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %61 = stablehlo.select %59, %60, %54 : tensor<3x3xi1>, tensor<3x3xf32>
    %62 = stablehlo.dot_general %53, %61, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %63 = stablehlo.subtract %62, %arg2 : tensor<5x3xf32>
    %64 = stablehlo.abs %63 : tensor<5x3xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_13) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %66:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg2) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<5x3xf32>, tensor<3x3xf32>, tensor<i32>)
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<i32>
    %68 = stablehlo.compare EQ, %66#4, %67, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_15 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %71 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %72 = stablehlo.select %71, %66#1, %70 : tensor<3xi1>, tensor<3xf32>
    %73 = stablehlo.broadcast_in_dim %68, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_16 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x3xi1>
    %76 = stablehlo.select %75, %66#2, %74 : tensor<5x3xi1>, tensor<5x3xf32>
    %77 = stablehlo.broadcast_in_dim %68, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_17 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %80 = stablehlo.select %79, %66#3, %78 : tensor<3x3xi1>, tensor<3x3xf32>
    %81 = stablehlo.broadcast_in_dim %72, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %83 = stablehlo.multiply %76, %82 : tensor<5x3xf32>
    %84 = stablehlo.dot_general %83, %80, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %85 = stablehlo.subtract %84, %arg2 : tensor<5x3xf32>
    %86 = stablehlo.abs %85 : tensor<5x3xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_18) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %88:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%12) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>, tensor<3xi32>)
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %90 = stablehlo.compare EQ, %88#2, %89, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0] : (tensor<3xi1>) -> tensor<3x1x1xi1>
    %cst_20 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %93 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<3x1x1xi1>) -> tensor<3x4x4xi1>
    %94 = stablehlo.select %93, %88#0, %92 : tensor<3x4x4xi1>, tensor<3x4x4xf32>
    %95 = stablehlo.broadcast_in_dim %90, dims = [0] : (tensor<3xi1>) -> tensor<3x1xi1>
    %cst_21 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<3x1xi1>) -> tensor<3x4xi1>
    %98 = stablehlo.select %97, %88#1, %96 : tensor<3x4xi1>, tensor<3x4xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 2] : (tensor<3x4xf32>) -> tensor<3x1x4xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<3x1x4xf32>) -> tensor<3x4x4xf32>
    %101 = stablehlo.multiply %94, %100 : tensor<3x4x4xf32>
    %102 = stablehlo.transpose %94, dims = [0, 2, 1] : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %103 = stablehlo.dot_general %101, %102, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    %104 = stablehlo.subtract %103, %12 : tensor<3x4x4xf32>
    %105 = stablehlo.abs %104 : tensor<3x4x4xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_22) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<3x4x4xf32>, tensor<f32>) -> tensor<f32>
    %107 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %108 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %109 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %110 = stablehlo.broadcast_in_dim %87, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %111 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %112 = stablehlo.concatenate %107, %108, %109, %110, %111, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<5xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %114 = stablehlo.compare LT, %112, %113, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    return %114 : tensor<5xi1>
  }
  func.func private @closed_call(%arg0: tensor<3x4xi32>, %arg1: tensor<i32>, %arg2: tensor<3x4xi32>) -> (tensor<i32>, tensor<3x4xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 3, 1>}> : (tensor<3x4xi32>, tensor<1xi32>) -> tensor<3x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<3x1xi32>) -> tensor<3xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %10 = stablehlo.add %9, %c_3 : tensor<i32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.gather"(%arg2, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 3, 1>}> : (tensor<3x4xi32>, tensor<1xi32>) -> tensor<3x1xi32>
    %14 = stablehlo.reshape %13 : (tensor<3x1xi32>) -> tensor<3xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %16 = stablehlo.compare LT, %7, %15, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %18 = stablehlo.add %7, %17 : tensor<3xi32>
    %19 = stablehlo.select %16, %18, %7 : tensor<3xi1>, tensor<3xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %21 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %22 = stablehlo.reshape %21 : (tensor<3x1xi32>) -> tensor<3xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<4> : tensor<i32>
    %24 = stablehlo.add %arg1, %c_7 : tensor<i32>
    %25 = stablehlo.select %23, %24, %arg1 : tensor<i1>, tensor<i32>
    %26 = stablehlo.convert %25 : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg2, %27, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<3x4xi32>, tensor<1xi32>, tensor<3xi32>) -> tensor<3x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %30 = stablehlo.compare LT, %7, %29, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_9 = stablehlo.constant dense<4> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %32 = stablehlo.add %7, %31 : tensor<3xi32>
    %33 = stablehlo.select %30, %32, %7 : tensor<3xi1>, tensor<3xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %35 = "stablehlo.scatter"(%28, %34, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<3x4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3x4xi32>
    return %0, %35 : tensor<i32>, tensor<3x4xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<3x4x2xf32>, %arg1: tensor<3x4x1xi32>) -> tensor<3x4x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x4x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x4x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x4x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3x4x1xi1>, tensor<3x4x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x4x1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x4x1xi32>
    %9 = stablehlo.compare LE, %4, %8, SIGNED : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %10 = stablehlo.and %6, %9 : tensor<3x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x4x1xi1>, tensor<i1>) -> tensor<3x4xi1>
    %12 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x4x2xf32>, tensor<3x4x1xi32>) -> tensor<3x4x2xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<3x4xi1>) -> tensor<3x4x2xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x2xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<3x4x2xi1>, tensor<3x4x2xf32>
    return %15 : tensor<3x4x2xf32>
  }
}
