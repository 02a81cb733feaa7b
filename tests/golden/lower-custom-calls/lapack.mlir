// RUN: echo-opt %s --lower-custom-calls | FileCheck %s
// RUN: echo-opt %s --lower-custom-calls -o %t.mlir && echo-opt %t.mlir | diff %t.mlir -

// A matrix by columns is the transpose of one by rows; nothing else moves. Characters and numbers are handed over by address, the lengths of characters behind all.
// CHECK-LABEL: func.func @factor(
// CHECK:         %[[IN:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK:         %[[OUT:.*]]:2 = "kernel.invoke"(%[[IN]])
// CHECK-SAME:    arguments = [{reference = 76 : i32}, {reference = 4 : i32}, {buffer = 1 : i64, from = 0 : i64, strides = array<i64: 64>}, {reference = 4 : i32}, {buffer = 2 : i64, strides = array<i64: 4>}, 1]
// CHECK-SAME:    grid = array<i64: 3>, library = "blas"
// CHECK-SAME:    signature = ["void", "ptr", "ptr", "ptr", "ptr", "ptr", "i64"], symbol = "spotrf_", tasks = 3 : i64
// CHECK:         %[[BACK:.*]] = stablehlo.transpose %[[OUT]]#0, dims = [0, 2, 1]
// CHECK:         return %[[BACK]], %[[OUT]]#1
func.func @factor(%a: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3x4x4xf32>, tensor<3xi32>
}

// Working space is one more result, a piece for each task; the dictionary may be the op's own.
// CHECK-LABEL: func.func @vectors(
// CHECK:         "kernel.invoke"
// CHECK-SAME:    {space = 4 : i64, stride = 1360 : i64}
// CHECK-SAME:    symbol = "dsyevd_"
// CHECK-SAME:    (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<i32>, tensor<170xf64>, tensor<28xi32>)
func.func @vectors(%a: tensor<5x5xf64>) -> tensor<5xf64> {
  %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<i32>)
  return %0#1 : tensor<5xf64>
}

// A flag chooses between two characters: R and T where left is false and transpose true.
// CHECK-LABEL: func.func @reflect(
// CHECK:         arguments = [{reference = 82 : i32}, {reference = 84 : i32}, {reference = 5 : i32}, {reference = 4 : i32}, {reference = 3 : i32}, {buffer = 0
// CHECK-SAME:    symbol = "dormqr_"
func.func @reflect(%a: tensor<4x3xf64>, %tau: tensor<3xf64>, %c: tensor<5x4xf64>) -> tensor<5x4xf64> {
  %0 = stablehlo.custom_call @lapack_dormqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = false, transpose = true}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xf64>, tensor<3xf64>, tensor<5x4xf64>) -> tensor<5x4xf64>
  return %0 : tensor<5x4xf64>
}

// In a branch, an unknown call is a trap.
// CHECK-LABEL: func.func @branch(
// CHECK:         "kernel.invoke"() <{{.*}}library = "trap"{{.*}}symbol = "calls 'who', which is not known"
func.func @branch(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.custom_call @who() : () -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
