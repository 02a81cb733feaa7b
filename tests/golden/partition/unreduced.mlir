// Summands: what is not reduced over an axis stays so through what is linear; of what is whole the first along an axis has all.
// RUN: echo-opt --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}], unreduced={"x":(2)2}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %0 = stablehlo.negate %x : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// CHECK:      func.func @main(%[[X:.*]]: tensor<4xf32> {echo.parts = array<i64: 1, 2, 2, -1, 1, 2>}) -> (tensor<8xf32> {echo.parts = array<i64: -1, 1, 4>})
// CHECK:      %[[N:.*]] = stablehlo.negate %[[X]] : tensor<4xf32>
// CHECK:      stablehlo.custom_call @echo.mpi.all_gather(%[[N]]) {{.*}}group_size = 2 : i64, ranks = array<i64: 0, 2, 1, 3>
// CHECK:      %[[WHOLE:.*]] = stablehlo.reshape {{.*}} -> tensor<8xf32>
// Along the axis of two that cut it, not along the one that it is summed over already.
// CHECK:      %[[PLACE:.*]] = stablehlo.divide
// CHECK:      %[[FIRST:.*]] = stablehlo.compare EQ, %[[PLACE]]
// CHECK:      %[[R:.*]] = stablehlo.select %[[FIRST]], %[[WHOLE]], %{{.*}} : tensor<i1>, tensor<8xf32>
// CHECK:      return %[[R]]
