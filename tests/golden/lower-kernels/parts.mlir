// What tasks take of a row is alike where that costs at most twice as many tasks: the loop over it has a constant count, and no rest.
// RUN: mkdir -p %t && printf 'name = eager\nlaunch_ns = 1000\n' > %t/eager.device
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{device=%t/eager.device})' --mlir-print-op-generic %s > %t/1.mlir && FileCheck %s < %t/1.mlir
// RUN: mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t/1.mlir > %t/2.mlir && cmp %t/1.mlir %t/2.mlir
// REQUIRES: mlir-opt-19

// CHECK:      "func.func"{{.*}}sym_name = "alike"
// CHECK:      ^bb0(%[[TASK:.*]]: index):
// CHECK-NEXT:   %[[LOW:.*]] = "arith.muli"(%[[TASK]], %[[PART:.*]]) <{{.*}} : (index, index) -> index
// CHECK-NEXT:   %[[HIGH:.*]] = "arith.addi"(%[[LOW]], %[[PART]]) <{{.*}} : (index, index) -> index
// CHECK-NEXT:   "scf.for"(%[[LOW]], %[[HIGH]], %{{.*}}) ({
"kernel.func"() <{sym_name = "alike", kind = "map", function_type = (tensor<192x320xf32>) -> tensor<192x320xf32>}> ({
^bb0(%a: tensor<192x320xf32>):
  %0 = stablehlo.sqrt %a : tensor<192x320xf32>
  "kernel.return"(%0) : (tensor<192x320xf32>) -> ()
}) : () -> ()

// No parts of whole lines of memory make up an odd count: the last task takes the rest.
// CHECK:      "func.func"{{.*}}sym_name = "rest"
// CHECK:      ^bb0(%[[TASK:.*]]: index):
// CHECK-NEXT:   %[[LOW:.*]] = "arith.muli"(%[[TASK]], %[[PART:.*]]) <{{.*}} : (index, index) -> index
// CHECK-NEXT:   %[[END:.*]] = "arith.addi"(%[[LOW]], %[[PART]]) <{{.*}} : (index, index) -> index
// CHECK-NEXT:   %[[HIGH:.*]] = "arith.minsi"(%[[END]], %{{.*}}) : (index, index) -> index
// CHECK-NEXT:   "scf.for"(%[[LOW]], %[[HIGH]], %{{.*}}) ({
"kernel.func"() <{sym_name = "rest", kind = "map", function_type = (tensor<61441xf32>) -> tensor<61441xf32>}> ({
^bb0(%a: tensor<61441xf32>):
  %0 = stablehlo.sqrt %a : tensor<61441xf32>
  "kernel.return"(%0) : (tensor<61441xf32>) -> ()
}) : () -> ()

// The copy that a scatter's result starts as, and the updates' rows.
// CHECK:      "func.func"{{.*}}sym_name = "rows"
// CHECK-NOT:  arith.minsi
// CHECK:      {kernel.kind = "scatter"}
"kernel.func"() <{sym_name = "rows", kind = "scatter", function_type = (tensor<256x192xf32>, tensor<4096x1xi32>, tensor<4096x192xf32>) -> tensor<256x192xf32>}> ({
^bb0(%a: tensor<256x192xf32>, %i: tensor<4096x1xi32>, %u: tensor<4096x192xf32>):
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<256x192xf32>, tensor<4096x1xi32>, tensor<4096x192xf32>) -> tensor<256x192xf32>
  "kernel.return"(%0) : (tensor<256x192xf32>) -> ()
}) : () -> ()
