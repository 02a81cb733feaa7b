// RUN: echo-opt --split-input-file --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

// A token is no array that could lie in parts: each process has its own, for what it does in its order.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<4xf32>) -> (!stablehlo.token {jax.token = true}, tensor<4xf32>) {
    %0:2 = sdy.manual_computation(%t, %x) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] manual_axes={"x"} (%u: !stablehlo.token, %y: tensor<2xf32>) {
      %1 = stablehlo.custom_call @act(%u, %y) {has_side_effect = true} : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
      sdy.return %1, %y : !stablehlo.token, tensor<2xf32>
    } : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
    return %0#0, %0#1 : !stablehlo.token, tensor<4xf32>
  }
}
// CHECK:      func.func @main(%[[T:.*]]: !stablehlo.token {jax.token = true}, %[[X:.*]]: tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK-SAME:   -> (!stablehlo.token {jax.token = true}, tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK-NEXT: %[[U:.*]] = stablehlo.custom_call @act(%[[T]], %[[X]])
// CHECK-NEXT: return %[[U]], %[[X]]

// -----

// The same beside other work.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%t: !stablehlo.token, %x: tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>) {
    %z = stablehlo.negate %x : tensor<4xf32>
    %0:2 = sdy.manual_computation(%t, %z) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] manual_axes={"x"} (%u: !stablehlo.token, %y: tensor<2xf32>) {
      %1 = stablehlo.custom_call @act(%u, %y) {has_side_effect = true} : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
      sdy.return %1, %y : !stablehlo.token, tensor<2xf32>
    } : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
    return %0#0, %0#1 : !stablehlo.token, tensor<4xf32>
  }
}
// CHECK:      func.func @main(%[[T:.*]]: !stablehlo.token, %[[X:.*]]: tensor<4xf32> {echo.parts = array<i64>}) -> (!stablehlo.token, tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK:      %[[PART:.*]] = stablehlo.negate %{{.*}} : tensor<2xf32>
// CHECK:      %[[U:.*]] = stablehlo.custom_call @act(%[[T]], %[[PART]])
// CHECK:      return %[[U]], %{{.*}} : !stablehlo.token, tensor<2xf32>
