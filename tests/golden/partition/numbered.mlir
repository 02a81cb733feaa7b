// What each of many processes does knows its own number, also where passes run before that make one process of all.
// RUN: echo-opt %s --read-shardings --chlo-to-stablehlo --partition --canonicalize | FileCheck %s
// RUN: echo-opt %s --chlo-to-stablehlo | FileCheck %s --check-prefix=ONE

// CHECK:      func.func @main(%arg0: tensor<2xui32> {{.*}}) -> (tensor<2xui32> {{.*}}, tensor<2xui32> {{.*}})
// CHECK:      %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
// CHECK:      %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[ID]]
// CHECK:      "stablehlo.collective_permute"(%[[ALL]])
// ONE-NOT:    partition_id
// ONE-NOT:    collective_permute
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>) {
    %0:2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%y: tensor<2xui32>) {
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
      %3 = stablehlo.add %2, %y : tensor<2xui32>
      %4 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2xui32>) -> tensor<2xui32>
      sdy.return %3, %4 : tensor<2xui32>, tensor<2xui32>
    } : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
    return %0#0, %0#1 : tensor<4xui32>, tensor<4xui32>
  }
}
