// RUN: echo-opt --split-input-file --verify-diagnostics --read-shardings --partition --canonicalize --cse --dce %s | FileCheck %s

// A call that is one device's (JAX's callbacks) is made there, of the whole, and all have what it gives. One without a word on it is made by each.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @one = <[], device_ids=[1]>
  func.func @main(%t: !stablehlo.token, %x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (!stablehlo.token, tensor<4xf32>) {
    %0:2 = stablehlo.custom_call @note(%t, %x) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@one, []>]>} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<f32>)
    stablehlo.custom_call @each(%0#1) {has_side_effect = true} : (tensor<f32>) -> ()
    %1 = stablehlo.broadcast_in_dim %0#1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.add %x, %1 : tensor<4xf32>
    return %0#0, %2 : !stablehlo.token, tensor<4xf32>
  }
}
// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[T:.*]]: !stablehlo.token, %[[X:.*]]: tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>}) -> (!stablehlo.token, tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK:       %[[ALL:.*]] = "stablehlo.all_gather"(%[[X]])
// CHECK:       %[[ID:.*]] = stablehlo.partition_id
// CHECK:       %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<ui32>
// CHECK:       %[[IS:.*]] = stablehlo.compare EQ, %[[ID]], %[[ONE]]
// CHECK:       %[[CALL:.*]]:2 = "stablehlo.if"(%[[IS]]) ({
// CHECK:         %[[OWN:.*]]:2 = stablehlo.custom_call @note(%[[T]], %[[ALL]]) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<f32>)
// CHECK:         stablehlo.return %[[OWN]]#0, %[[OWN]]#1
// CHECK:       }, {
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK:         stablehlo.return %[[T]], %[[ZERO]]
// CHECK:       %[[TOLD:.*]] = "stablehlo.collective_broadcast"(%[[CALL]]#1)
// CHECK-SAME:    replica_groups = dense<{{\[\[}}1, 0]]>
// CHECK:       stablehlo.custom_call @each(%[[TOLD]])
// CHECK:       stablehlo.add %[[X]], %{{.*}} : tensor<2xf32>

// -----

// GSPMD's words; there is no token that the others could go on with.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2xi1>) -> (tensor<2xi1>, !stablehlo.token) {
    %0:2 = stablehlo.custom_call @note(%x) {has_side_effect = true, mhlo.sharding = "{maximal device=0}"} : (tensor<2xi1>) -> (tensor<2xi1>, !stablehlo.token)
    return %0#0, %0#1 : tensor<2xi1>, !stablehlo.token
  }
}
// CHECK-LABEL: func.func @main
// CHECK:       %[[CALL:.*]]:2 = "stablehlo.if"
// CHECK:         stablehlo.custom_call @note
// CHECK:       }, {
// CHECK:         %[[NEW:.*]] = stablehlo.create_token
// CHECK:         stablehlo.return %{{.*}}, %[[NEW]]
// CHECK:       "stablehlo.collective_broadcast"(%[[CALL]]#0)

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{is for device 2, and there are 2}}
    %0 = stablehlo.custom_call @note(%x) {mhlo.sharding = "{maximal device=2}"} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
