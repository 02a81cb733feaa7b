// The innermost loop is cut where a concatenation along it changes operands, not where one along another dimension does that has as many places.
// RUN: echo-opt --pass-pipeline='builtin.module(lower-kernels)' %s | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         "scf.for"(%[[ZERO]], %[[ALL]], %[[ONE]]) ({
// CHECK-NOT:     "scf.for"
// CHECK:         return
"kernel.func"() <{sym_name = "rows", kind = "map", function_type = (tensor<1x64xf32>, tensor<63x64xf32>) -> tensor<64x64xf32>}> ({
^bb0(%a: tensor<1x64xf32>, %b: tensor<63x64xf32>):
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x64xf32>, tensor<63x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.sqrt %0 : tensor<64x64xf32>
  "kernel.return"(%1) : (tensor<64x64xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: func.func @columns(
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 64 : index
// CHECK:         "scf.for"(%{{.*}}, %[[THREE]], %{{.*}}) ({
// CHECK:         "scf.for"(%[[THREE]], %[[ALL]], %{{.*}}) ({
"kernel.func"() <{sym_name = "columns", kind = "map", function_type = (tensor<64x3xf32>, tensor<64x61xf32>) -> tensor<64x64xf32>}> ({
^bb0(%a: tensor<64x3xf32>, %b: tensor<64x61xf32>):
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<64x3xf32>, tensor<64x61xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.sqrt %0 : tensor<64x64xf32>
  "kernel.return"(%1) : (tensor<64x64xf32>) -> ()
}) : () -> ()

// Of what is turned, the innermost loop goes along the concatenation's first dimension.
// CHECK-LABEL: func.func @turned(
// CHECK-DAG:     %[[FIVE:.*]] = arith.constant 5 : index
// CHECK:         "scf.for"(%{{.*}}, %[[FIVE]], %{{.*}}) ({
// CHECK:         "scf.for"(%[[FIVE]], %{{.*}}, %{{.*}}) ({
"kernel.func"() <{sym_name = "turned", kind = "map", function_type = (tensor<5x32xf32>, tensor<35x32xf32>) -> tensor<32x40xf32>}> ({
^bb0(%a: tensor<5x32xf32>, %b: tensor<35x32xf32>):
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<5x32xf32>, tensor<35x32xf32>) -> tensor<40x32xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<40x32xf32>) -> tensor<32x40xf32>
  "kernel.return"(%1) : (tensor<32x40xf32>) -> ()
}) : () -> ()

// Rows of two elements: the innermost loop goes through rows, both elements at once, and none of them is looked for by a comparison.
// CHECK-LABEL: func.func @pairs(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 500 : index
// CHECK-NOT:     arith.divui
// CHECK:         "scf.for"(%[[ZERO]], %[[ROWS]], %[[ONE]]) ({
// CHECK-NOT:     "scf.for"
// CHECK:         "memref.store"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]])
// CHECK-NEXT:    "memref.store"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]])
// CHECK:         {kernel.parallel}
"kernel.func"() <{sym_name = "pairs", kind = "map", function_type = (tensor<1000x1000xf32>) -> tensor<1000x500x2xf32>}> ({
^bb0(%a: tensor<1000x1000xf32>):
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [0:1000, 0:1000:2] : (tensor<1000x1000xf32>) -> tensor<1000x500xf32>
  %1 = stablehlo.reshape %0 : (tensor<1000x500xf32>) -> tensor<1000x500x1xf32>
  %2 = stablehlo.pad %1, %zero, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<1000x500x1xf32>, tensor<f32>) -> tensor<1000x500x2xf32>
  "kernel.return"(%2) : (tensor<1000x500x2xf32>) -> ()
}) : () -> ()
