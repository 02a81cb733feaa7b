// Groups of different sizes end in -1.
// RUN: echo-opt %s --lower-collectives | FileCheck %s

module attributes {mhlo.num_replicas = 4 : i32} {
  // CHECK-LABEL: func.func @main
  func.func @main(%x: tensor<4xf32>, %y: tensor<bf16>) -> (tensor<4xf32>, tensor<bf16>) {
    // CHECK: stablehlo.custom_call @echo.mpi.all_reduce({{.*}}group_size = 3 : i64, ranks = array<i64: 0, 1, 3, 2, -1, -1>, reduction = "sum"
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 3], [2, -1, -1]]> : tensor<2x3xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    // What the engine does not add up itself is gathered, and added up as far as the own group goes.
    // CHECK: %[[ALL:.*]] = stablehlo.custom_call @echo.mpi.all_gather({{.*}}ranks = array<i64: 0, 1, 3, 2, -1, -1>
    // CHECK-SAME: -> tensor<3xbf16>
    // CHECK: %[[SIZES:.*]] = stablehlo.constant dense<[3, 3, 1, 3, 0, 0]> : tensor<6xi32>
    // CHECK: %[[SIZE:.*]] = stablehlo.dynamic_slice %[[SIZES]]
    // CHECK: %[[FIRST:.*]] = stablehlo.reshape {{.*}} : (tensor<1xbf16>) -> tensor<bf16>
    // CHECK: %[[BOTH:.*]] = "stablehlo.map"(%[[FIRST]]
    // CHECK: %[[IS:.*]] = stablehlo.compare LT
    // CHECK: stablehlo.select %[[IS]], %[[BOTH]], %[[FIRST]]
    %1 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1, 3], [2, -1, -1]]> : tensor<2x3xi64>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %2 = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<bf16>) -> tensor<bf16>
    return %0, %1 : tensor<4xf32>, tensor<bf16>
  }
}
