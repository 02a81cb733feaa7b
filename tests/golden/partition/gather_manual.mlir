// RUN: echo-opt --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

// A manual computation is given parts, made of parts of what they come of; what it makes is had in parts around it.
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
// CHECK:      func.func @main(%[[X:.*]]: tensor<4xf32> {echo.parts = array<i64>}) -> (tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK:      %[[PART:.*]] = stablehlo.dynamic_slice %[[X]], {{.*}} sizes = [2]
// CHECK:      %[[N:.*]] = stablehlo.negate %[[PART]] : tensor<2xf32>
// CHECK:      %[[E:.*]] = stablehlo.exponential %[[N]] : tensor<2xf32>
// CHECK:      %[[R:.*]] = stablehlo.negate %[[E]] : tensor<2xf32>
// A result of which nothing is said lies as what it is made of.
// CHECK:      return %[[R]]
