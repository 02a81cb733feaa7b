// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --lower-kernels %s | echo-opt --verify-roundtrip --no-output
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{blas=false})' --mlir-print-op-generic %s | FileCheck %s --check-prefix=LOOPS

// Row-major operands go to the library as they are; a transposed one by its flag. The grid is fixed by the shape.
// CHECK:       "kernel.library"() <{arguments = [101 : i32, 111 : i32, 112 : i32,
// CHECK-SAME:    grid = array<i64: 8, 1, 1>
// CHECK-SAME:    library = "blas"
// CHECK-SAME:    signature = ["void", "i32", "i32", "i32", "i32", "i32", "i32", "f32", "ptr", "i32", "ptr", "i32", "f32", "ptr", "i32"]
// CHECK-SAME:    symbol = "cblas_sgemm"
// LOOPS-LABEL: sym_name = "batched"
// Eight rows of three vectors are summed in registers, from zero on; a factor in all lanes meets the three vectors of its step.
// LOOPS:       %[[ZERO:.*]] = "vector.broadcast"(%{{.*}}) : (f32) -> vector<16xf32>
// LOOPS-NOT:   "vector.load"{{.*}} memref<64x48xf32>
// LOOPS:       "scf.for"(%{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]], %[[ZERO]]
// LOOPS:       %[[A:.*]] = "vector.broadcast"
// LOOPS-NEXT:  "math.fma"(%[[A]]
// LOOPS-NEXT:  "math.fma"(%[[A]]
// LOOPS-NEXT:  "math.fma"(%[[A]]
// LOOPS:       kernel.tile = array<i64: 8, 3>
"kernel.func"() <{sym_name = "batched", kind = "contraction", function_type = (tensor<8x64x32xf32>, tensor<8x48x32xf32>) -> tensor<8x64x48xf32>}> ({
^bb0(%a: tensor<8x64x32xf32>, %b: tensor<8x48x32xf32>):
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x64x32xf32>, tensor<8x48x32xf32>) -> tensor<8x64x48xf32>
  "kernel.return"(%0) : (tensor<8x64x48xf32>) -> ()
}) : () -> ()

// Integers have no library.
// CHECK-LABEL: sym_name = "integers"
// CHECK:       "arith.muli"
// CHECK:       {kernel.kind = "contraction"}
"kernel.func"() <{sym_name = "integers", kind = "contraction", function_type = (tensor<64x64xi8>, tensor<64x64xi8>) -> tensor<64x64xi32>}> ({
^bb0(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xi8>, tensor<64x64xi8>) -> tensor<64x64xi32>
  "kernel.return"(%0) : (tensor<64x64xi32>) -> ()
}) : () -> ()

// Several blocks along k: sums lie in memory between them. Rows are dealt out evenly: 100 are two tasks' 50, five times ten.
// LOOPS-LABEL: sym_name = "blocks"
// LOOPS:       "vector.load"({{.*}}) : (memref<50x64xf32>, index, index) -> vector<16xf32>
// LOOPS:       kernel.tile = array<i64: 10, 2>
"kernel.func"() <{sym_name = "blocks", kind = "contraction", function_type = (tensor<100x300xf32>, tensor<300x64xf32>) -> tensor<100x64xf32>}> ({
^bb0(%a: tensor<100x300xf32>, %b: tensor<300x64xf32>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x300xf32>, tensor<300x64xf32>) -> tensor<100x64xf32>
  "kernel.return"(%0) : (tensor<100x64xf32>) -> ()
}) : () -> ()
