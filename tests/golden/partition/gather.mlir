// RUN: echo-opt --partition --lower-collectives %s | FileCheck %s

// Each process has rows of an argument, and takes columns of its product: exchanged; then by another axis for the result: gathered, and cut.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) {
    %0 = sdy.sharding_constraint %x <@mesh, [{}, {"b"}]> : tensor<4x6xf32>
    %1 = stablehlo.add %0, %0 : tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
}
// CHECK:      func.func @main(%[[X:.*]]: tensor<2x6xf32> {echo.parts = array<i64: 1, 1, 2>}) -> (tensor<4x3xf32> {echo.parts = array<i64: 0, 1, 2, 2>})
// Between the two that differ along "b"; those that differ along "a" have the same.
// CHECK:      %[[PIECES:.*]] = stablehlo.transpose {{.*}} -> tensor<2x1x1x2x1x3xf32>
// CHECK:      stablehlo.custom_call @echo.mpi.all_to_all(%[[PIECES]]) {{.*}}group_size = 2 : i64, ranks = array<i64: 0, 1, 2, 3>
// CHECK:      %[[COLUMNS:.*]] = stablehlo.reshape {{.*}} -> tensor<4x3xf32>
// CHECK:      %[[SUM:.*]] = stablehlo.add %[[COLUMNS]], %[[COLUMNS]] : tensor<4x3xf32>
// CHECK:      stablehlo.custom_call @echo.mpi.all_gather(%[[SUM]]) {{.*}} -> tensor<2x4x3xf32>
// CHECK:      %[[PART:.*]] = stablehlo.dynamic_slice {{.*}} sizes = [4, 3]
// CHECK:      return %[[PART]] : tensor<4x3xf32>
