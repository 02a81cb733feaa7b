// What one device of many does, as JAX writes jit of shard_map.
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --partition --canonicalize --lower-collectives | FileCheck %s --check-prefix=LOCAL

// CHECK:    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"y", "x"}, {}]>, <@mesh, []>] manual_axes={"x", "y"} (%arg2: tensor<2x2xbf16>, %arg3: tensor<f32>) {
// CHECK:      sdy.return %1, %3 : tensor<4x2xbf16>, tensor<f32>
// CHECK-NEXT: } : (tensor<4x4xbf16>, tensor<f32>) -> (tensor<16x2xbf16>, tensor<f32>)
// LOCAL:      func.func @main(%arg0: tensor<2x2xbf16> {echo.parts = array<i64: 1, 2, 2, 1, 1, 2>}, %arg1: tensor<f32> {echo.parts = array<i64>}) -> (tensor<4x2xbf16> {echo.parts = array<i64: 2, 1, 2, 2, 2>}, tensor<f32> {echo.parts = array<i64>}) {
// LOCAL-NEXT:   %0 = stablehlo.custom_call @echo.mpi.all_gather(%arg0) {api_version = 4 : i32, backend_config = {group_size = 2 : i64, ranks = array<i64: 0, 2, 1, 3>}, has_side_effect = true} : (tensor<2x2xbf16>) -> tensor<2x2x2xbf16>
// LOCAL-NEXT:   stablehlo.reshape %0 : (tensor<2x2x2xbf16>) -> tensor<4x2xbf16>
// LOCAL:        stablehlo.custom_call @echo.mpi.all_reduce(%arg1) {api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}, has_side_effect = true} : (tensor<f32>) -> tensor<f32>
// LOCAL-NOT:    sdy.return
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<4x4xbf16>, %arg1: tensor<f32>) -> (tensor<16x2xbf16>, tensor<f32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"y", "x"}, {}]>, <@mesh, []>] manual_axes={"x", "y"} (%arg2: tensor<2x2xbf16>, %arg3: tensor<f32>) {
      %1 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x2xbf16>) -> tensor<4x2xbf16>
      %2 = stablehlo.partition_id : tensor<ui32>
      %3 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %4 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %1, %3 : tensor<4x2xbf16>, tensor<f32>
    } : (tensor<4x4xbf16>, tensor<f32>) -> (tensor<16x2xbf16>, tensor<f32>)
    return %0#0, %0#1 : tensor<16x2xbf16>, tensor<f32>
  }
}
