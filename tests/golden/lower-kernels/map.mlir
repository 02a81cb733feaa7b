// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --lower-kernels %s | echo-opt --verify-roundtrip --no-output
// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s > %t.1 && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t.1 > %t.2 && cmp %t.1 %t.2
// REQUIRES: mlir-opt-19

// A broadcast is index arithmetic; tasks take rows, and the columns' loop says that its iterations are independent.
// CHECK-LABEL: sym_name = "bias"
// CHECK:       ^bb0(%[[X:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<4x8xf32>):
// CHECK:       "scf.parallel"
// CHECK:         "scf.for"
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:    "scf.for"
// CHECK-NEXT:    ^bb0(%[[J:.*]]: index):
// CHECK-NEXT:      %[[A:.*]] = "memref.load"(%[[X]], %[[I]], %[[J]])
// CHECK-NEXT:      %[[C:.*]] = "memref.load"(%[[B]], %[[J]])
// CHECK-NEXT:      %[[S:.*]] = "arith.addf"(%[[A]], %[[C]]) <{fastmath = #arith.fastmath<none>}>
// CHECK-NEXT:      "memref.store"(%[[S]], %[[OUT]], %[[I]], %[[J]])
// CHECK:         {kernel.parallel}
// CHECK:       {kernel.kind = "map"}
"kernel.func"() <{sym_name = "bias", kind = "map", function_type = (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<8xf32>):
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.add %a, %0 : tensor<4x8xf32>
  "kernel.return"(%1) : (tensor<4x8xf32>) -> ()
}) : () -> ()

// Where all tensors are walked in memory's order, dimensions are joined: one loop, and no division.
// CHECK-LABEL: sym_name = "flat"
// CHECK-DAG:   "memref.collapse_shape"
// CHECK-NOT:   arith.divui
// CHECK-NOT:   arith.remui
// CHECK:       {kernel.kind = "map"}
"kernel.func"() <{sym_name = "flat", kind = "map", function_type = (tensor<3x4x5xf32>, tensor<60xf32>) -> tensor<12x5xf32>}> ({
^bb0(%a: tensor<3x4x5xf32>, %b: tensor<60xf32>):
  %0 = stablehlo.reshape %a : (tensor<3x4x5xf32>) -> tensor<12x5xf32>
  %1 = stablehlo.reshape %b : (tensor<60xf32>) -> tensor<12x5xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<12x5xf32>
  "kernel.return"(%2) : (tensor<12x5xf32>) -> ()
}) : () -> ()

// What is asked for twice at the same indices is computed once.
// CHECK-LABEL: sym_name = "once"
// CHECK:       math.sqrt
// CHECK-NOT:   math.sqrt
// CHECK:       {kernel.kind = "map"}
"kernel.func"() <{sym_name = "once", kind = "map", function_type = (tensor<9xf32>) -> (tensor<9xf32>, tensor<3x3xf32>)}> ({
^bb0(%a: tensor<9xf32>):
  %0 = stablehlo.sqrt %a : tensor<9xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<9xf32>
  %2 = stablehlo.reshape %0 : (tensor<9xf32>) -> tensor<3x3xf32>
  "kernel.return"(%1, %2) : (tensor<9xf32>, tensor<3x3xf32>) -> ()
}) : () -> ()

// A concatenation is one loop a piece, each reading one operand.
// CHECK-LABEL: sym_name = "pieces"
// CHECK:       "scf.parallel"
// CHECK-NOT:   arith.select
// CHECK:       "arith.negf"
// CHECK:       "math.absf"
// CHECK:       {kernel.kind = "map"}
"kernel.func"() <{sym_name = "pieces", kind = "map", function_type = (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x11xf32>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<4x3xf32>):
  %0 = stablehlo.negate %a : tensor<4x8xf32>
  %1 = stablehlo.abs %b : tensor<4x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x11xf32>
  "kernel.return"(%2) : (tensor<4x11xf32>) -> ()
}) : () -> ()
