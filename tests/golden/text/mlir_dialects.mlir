// RUN: echo-opt %s | FileCheck %s
// RUN: echo-opt %s | echo-opt - | FileCheck %s
// RUN: not echo-opt --to=tensor %s 2>&1 | FileCheck %s --check-prefix=TENSOR
// Ops in generic form, types and attributes of MLIR's dialects that have no rows here are kept, without a flag; no stage behind the model knows them.
// CHECK: #sparse = #sparse_tensor.encoding<{
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// CHECK: func.func @main(%arg0: tensor<10x20xf32, #sparse>, %arg1: !llvm.ptr, %arg2: i32)
func.func @main(%arg0: tensor<10x20xf32, #CSR>, %arg1: !llvm.ptr, %arg2: i32) -> i32 {
  // CHECK: stablehlo.abs %arg0 : tensor<10x20xf32, #sparse>
  %0 = stablehlo.abs %arg0 : tensor<10x20xf32, #CSR>
  // CHECK: %1 = "llvm.mul"(%arg2, %arg2) {overflow = #llvm.overflow<nsw>} : (i32, i32) -> i32
  // TENSOR: error: {{.*}}'llvm.mul'
  %1 = "llvm.mul"(%arg2, %arg2) {overflow = #llvm.overflow<nsw>} : (i32, i32) -> i32
  return %1 : i32
}
