// RUN: echo-opt --pass-pipeline='builtin.module(lower-collectives{gather=true})' %s | FileCheck %s

// What stands around a manual computation is whole on every process; it is given parts, and what it makes is gathered.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%y: tensor<2xf32>) {
      %3 = stablehlo.exponential %y : tensor<2xf32>
      sdy.return %3 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.negate %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// CHECK:      func.func @main(%[[X:.*]]: tensor<4xf32>) -> (tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[X]]
// CHECK:      %[[PART:.*]] = stablehlo.dynamic_slice %[[N]], {{.*}} sizes = [2]
// CHECK:      %[[E:.*]] = stablehlo.exponential %[[PART]] : tensor<2xf32>
// CHECK:      stablehlo.custom_call @echo.mpi.all_gather(%[[E]])
// CHECK:      %[[WHOLE:.*]] = stablehlo.reshape {{.*}} -> tensor<4xf32>
// CHECK:      %[[R:.*]] = stablehlo.negate %[[WHOLE]]
// A result of which nothing is said lies as what it is made of.
// CHECK:      %[[OWN:.*]] = stablehlo.dynamic_slice %[[R]], {{.*}} sizes = [2]
// CHECK:      return %[[OWN]]
