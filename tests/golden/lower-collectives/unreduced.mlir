// Summands: what is not reduced over an axis is added up where it is wanted whole; of what is whole the first along the axis has all.
// RUN: echo-opt --pass-pipeline='builtin.module(lower-collectives{gather=true})' %s | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}], unreduced={"x":(2)2}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %0 = stablehlo.negate %x : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// CHECK:      func.func @main(%[[X:.*]]: tensor<4xf32> {echo.parts = array<i64: 1, 2, 2, -1, 1, 2>}) -> (tensor<8xf32> {echo.parts = array<i64: 0, -1, 1, 4>})
// CHECK:      stablehlo.custom_call @echo.mpi.all_gather(%[[X]]) {{.*}}group_size = 2 : i64, ranks = array<i64: 0, 2, 1, 3>
// CHECK:      %[[SUM:.*]] = stablehlo.custom_call @echo.mpi.all_reduce({{.*}}group_size = 2 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"
// CHECK:      %[[N:.*]] = stablehlo.negate %[[SUM]]
// CHECK:      %[[FIRST:.*]] = stablehlo.compare EQ
// CHECK:      %[[R:.*]] = stablehlo.select %[[FIRST]], %[[N]], %{{.*}} : tensor<i1>, tensor<8xf32>
// CHECK:      return %[[R]]
