// A shard_map as JAX writes it without Shardy: what each process does stands between two calls, and takes and gives parts.
// RUN: echo-opt --read-shardings --inline --symbol-dce --partition --canonicalize --dce %s | FileCheck %s

// Rows come as they are cut by "a"; columns are gathered in front, for the call wants them whole.
// CHECK:      func.func @main(%[[X:.*]]: tensor<4x6xf32> {echo.parts = array<i64: 1, 2, 2>}, %[[W:.*]]: tensor<6x2xf32> {echo.parts = array<i64: 0, 1, 2, 2>}) -> (tensor<2x4xf32>
// CHECK:      %[[ALL:.*]] = "stablehlo.all_gather"
// CHECK:      %[[P:.*]] = stablehlo.dot_general %[[X]]
// CHECK-SAME: (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK:      "stablehlo.all_reduce"(%[[P]]) <{
// CHECK-SAME: dense<{{\[}}[0, 1], [2, 3]]>
// CHECK:      stablehlo.partition_id
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}, %w: tensor<6x4xf32> {mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dim_replicate}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.custom_call @Sharding(%w) {mhlo.sharding = "{replicated}"} : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %4 = call @shmap_body(%1, %3) : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.tanh %6 : tensor<8x4xf32>
    return %7 : tensor<8x4xf32>
  }
  func.func private @shmap_body(%x: tensor<4x6xf32>, %w: tensor<6x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %5 = stablehlo.add %1, %4 : tensor<4x4xf32>
    return %5 : tensor<4x4xf32>
  }
}
