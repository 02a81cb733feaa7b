// Values of one group are cut alike: what is whole, as those are that are cut. Another shape keeps its own, and so does what read a value before.
// RUN: echo-opt --split-input-file --read-shardings --dce --canonicalize %s | FileCheck %s --check-prefix=READ
// RUN: echo-opt --split-input-file --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

// Up to then a group keeps what it is about alive.
// READ-LABEL: @alone
// READ:         stablehlo.exponential
// READ:         sdy.sharding_group %{{.*}} group_id=4 {echo.sharding} : tensor<8x6xf32>

// CHECK-LABEL: @pair
// CHECK:       func.func @main(%{{.*}}: tensor<2x6xf32> {echo.parts = array<i64: 1, 1, 4>}, %{{.*}}: tensor<8x6xf32> {echo.parts = array<i64>}) -> (tensor<2x6xf32> {echo.parts = array<i64: 1, 1, 4>}, tensor<8x6xf32> {echo.parts = array<i64>})
// CHECK:         stablehlo.abs {{.*}} : tensor<8x6xf32>
module @pair attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %0 = stablehlo.negate %b : tensor<8x6xf32>
    %1 = stablehlo.abs %0 : tensor<8x6xf32>
    sdy.sharding_group %a group_id=3 : tensor<8x6xf32>
    sdy.sharding_group %0 group_id=3 : tensor<8x6xf32>
    %2 = stablehlo.add %a, %0 : tensor<8x6xf32>
    return %2, %1 : tensor<8x6xf32>, tensor<8x6xf32>
  }
}

// -----

// The first is whole, and comes cut where it is handed out; of another shape nothing is taken over.
// CHECK-LABEL: @first_whole
// CHECK:       func.func @main({{.*}}) -> (tensor<8x3xf32> {echo.parts = array<i64: 0, 1, 1, 2>}, tensor<8x3xf32> {echo.parts = array<i64: 0, 1, 1, 2>}, tensor<6xf32> {echo.parts = array<i64>})
module @first_whole attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<8x6xf32>, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %c: tensor<6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>) {
    sdy.sharding_group %a group_id=1 : tensor<8x6xf32>
    sdy.sharding_group %b group_id=1 : tensor<8x6xf32>
    sdy.sharding_group %c group_id=1 : tensor<6xf32>
    %0 = stablehlo.negate %a : tensor<8x6xf32>
    return %0, %b, %c : tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>
  }
}

// -----

// CHECK-LABEL: @alone
// CHECK:       func.func @main({{.*}}) -> (tensor<2x6xf32> {echo.parts = array<i64: 1, 1, 4>})
module @alone attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
    %0 = stablehlo.exponential %a : tensor<8x6xf32>
    %1 = stablehlo.iota dim = 1 : tensor<8x6xf32>
    sdy.sharding_group %0 group_id=4 : tensor<8x6xf32>
    sdy.sharding_group %1 group_id=4 : tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
}
