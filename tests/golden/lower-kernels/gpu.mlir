// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{target=sm_80})' --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels{target=sm_80})' --mlir-print-op-generic %s > %t.1 && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t.1 > %t.2 && cmp %t.1 %t.2
// RUN: not echo-opt --pass-pipeline='builtin.module(lower-kernels{target=abacus})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// REQUIRES: mlir-opt-19

// RUN: not echo-opt --pass-pipeline='builtin.module(lower-kernels{target=sm_999})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not echo-opt --pass-pipeline='builtin.module(lower-kernels{target=sm_})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not echo-opt --to=loops --target=sm_999 %s 2>&1 | FileCheck %s --check-prefix=TOOL

// BAD: gpu.mlir:{{[0-9]+:[0-9]+}}: error: '{{abacus|sm_999|sm_}}' is no target: cpu, sm_75, sm_80, sm_86, sm_87, sm_89 and sm_90 are
// TOOL: echo-opt: error: --target: 'sm_999' is no target: cpu, sm_75, sm_80, sm_86, sm_87, sm_89 and sm_90 are

// Tasks are blocks, iterations of parallel loops threads: a lane is a thread, the lanes of a warp meet by shuffles, warps in shared memory between barriers.
// CHECK:       "gpu.module"() <{sym_name = "kernels"}>
// CHECK:       "gpu.func"() <{function_type = (memref<4x40xf32>, memref<4xf32>) -> (), known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>}>
// CHECK-NEXT:  ^bb0(%{{.*}}: memref<4x40xf32>, %[[OUT:.*]]: memref<4xf32>, %[[SUMS:.*]]: memref<1xf32, 3>):
// CHECK:       "gpu.block_id"() <{dimension = #gpu<dim x>}>
// CHECK:       %[[THREAD:.*]] = "gpu.thread_id"()
// CHECK:       "scf.for"
// CHECK:       "gpu.shuffle"({{.*}}) <{mode = #gpu<shuffle_mode down>}> : (f32, i32, i32) -> (f32, i1)
// CHECK:       "scf.if"
// CHECK-NEXT:    "memref.store"(%{{.*}}, %[[SUMS]]
// CHECK:       "gpu.barrier"
// CHECK:       %[[FIRST:.*]] = "arith.cmpi"(%[[THREAD]]
// CHECK:       "scf.if"(%[[FIRST]])
// CHECK-NEXT:    "memref.store"(%{{.*}}, %[[OUT]]
// CHECK:       gpu.kernel
// CHECK-SAME:  kernel.source = ["stablehlo.constant
// CHECK-SAME:  workgroup_attributions = 1
"kernel.func"() <{sym_name = "rows", kind = "row_reduce", function_type = (tensor<4x40xf32>) -> tensor<4xf32>}> ({
^bb0(%a: tensor<4x40xf32>):
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x40xf32>, tensor<f32>) -> tensor<4xf32>
  "kernel.return"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()
