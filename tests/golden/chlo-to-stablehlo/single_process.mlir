// RUN: echo-opt %s --chlo-to-stablehlo --canonicalize --cse | FileCheck %s

// One process: what is gathered, combined or exchanged is one's own.
// CHECK-LABEL: func.func @own(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<ui32>
// CHECK-NEXT:    return %arg0, %arg0, %arg0, %arg0, %c, %c
func.func @own(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<ui32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.partition_id : tensor<ui32>
  %5 = stablehlo.replica_id : tensor<ui32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<ui32>, tensor<ui32>
}

// To whom nobody sends, zeros come; a second member stays what it is.
// CHECK-LABEL: func.func @others(
// CHECK:         "stablehlo.all_gather"
// CHECK:         return %cst, %0
func.func @others(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}

// Pieces that one member sends itself: rows of the operand take the place of the output's. To two they are a call.
// CHECK-LABEL: func.func @pieces(
// CHECK-NOT:     custom_call
// CHECK:         stablehlo.select
// CHECK:         stablehlo.custom_call @ragged_all_to_all
func.func @pieces(%x: tensor<4x2xf32>, %y: tensor<6x2xf32>, %i: tensor<2xi32>) -> (tensor<6x2xf32>, tensor<6x2xf32>) {
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %y, %i, %i, %i, %i) {api_version = 4 : i32, backend_config = {replica_groups = dense<0> : tensor<1x1xi64>}} : (tensor<4x2xf32>, tensor<6x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6x2xf32>
  %1 = stablehlo.custom_call @ragged_all_to_all(%x, %y, %i, %i, %i, %i) {api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<4x2xf32>, tensor<6x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6x2xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<6x2xf32>
}
