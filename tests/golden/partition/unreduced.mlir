// Summands: what is not reduced over an axis stays so through what is linear; of what is whole the first along an axis has all.
// RUN: echo-opt --split-input-file --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

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
// Along the axis of two that cut it, not along the one that it is summed over already.
// CHECK:      %[[PLACE:.*]] = stablehlo.divide
// CHECK:      %[[FIRST:.*]] = stablehlo.compare EQ, %[[PLACE]]
// CHECK:      %[[R:.*]] = stablehlo.select %[[FIRST]], %{{.*}}, %{{.*}} : tensor<i1>, tensor<2x4xf32>
// CHECK:      %[[WHOLE:.*]] = stablehlo.reshape %[[R]] : (tensor<2x4xf32>) -> tensor<8xf32>
// CHECK:      return %[[WHOLE]]

// -----

// A product that is a sum over parts, put into a stack in which it is one of several: what takes part in it is no larger, and nothing is reduced but the stack.
// CHECK-LABEL: @stacked
// CHECK:       stablehlo.dot_general
// CHECK-NOT:   echo.mpi
// CHECK:       stablehlo.concatenate
// CHECK:       stablehlo.custom_call @echo.mpi.all_reduce
// CHECK-NOT:   echo.mpi
module @stacked attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<3x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
    %zeros = stablehlo.constant dense<0.0> : tensor<1x3x3xf32>
    %2 = stablehlo.concatenate %1, %zeros, dim = 0 : (tensor<1x3x3xf32>, tensor<1x3x3xf32>) -> tensor<2x3x3xf32>
    return %2 : tensor<2x3x3xf32>
  }
}
