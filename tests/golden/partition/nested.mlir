// A manual computation inside of another takes parts of its parts; what its axes cut is cut around it too.
// RUN: echo-opt --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

// Dimensions that are open are as they are written; axes that are not the computation's own do not count.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x", ?}, {"y", ?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%a: tensor<2x6xf32>) {
      %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%b: tensor<2x3xf32>) {
        %2 = stablehlo.exponential %b : tensor<2x3xf32>
        %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}]> : tensor<2x3xf32>
        sdy.return %3 : tensor<2x3xf32>
      } : (tensor<2x6xf32>) -> tensor<2x6xf32>
      sdy.return %1 : tensor<2x6xf32>
    } : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
// CHECK:      func.func @main(%[[X:.*]]: tensor<2x6xf32> {echo.parts = array<i64: 1, 2, 2>}) -> (tensor<2x3xf32> {echo.parts = array<i64: 1, 2, 2, 1, 1, 2>})
// CHECK:      %[[PART:.*]] = stablehlo.dynamic_slice %[[X]], {{.*}} sizes = [2, 3]
// CHECK:      %[[E:.*]] = stablehlo.exponential %[[PART]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[E]]
