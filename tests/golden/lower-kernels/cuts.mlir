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
