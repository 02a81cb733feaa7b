// GSPMD's text of shardings, in every form.
// RUN: echo-opt %s --read-shardings | FileCheck %s

// CHECK:      func.func @main(
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 1, 4, 2, 1, 1, 4>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 1, 1, 4, 1, 4, 2>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 1, 4, 2, 0>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 0, 2, 1, 2, 4, 2>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 1, 1, 2, 0, -1, 2, 2>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.order = array<i64: 7, 6, 5, 4, 3, 2, 1, 0>, echo.sharding = array<i64: 1, 1, 8, 0>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<8x8xf32> {echo.sharding = array<i64: 1, 1, 8, 0>},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<f32> {echo.sharding = array<i64>})
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{replicated}"},
                  %b: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                  %c: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"},
                  %d: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
                  %e: tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4,2]0,2,4,6,1,3,5,7 last_tile_dims={manual}}"},
                  %f: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,2,2]<=[2,2,2]T(2,1,0) last_tile_dims={unreduced, replicated}}"},
                  %g: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"},
                  %h: tensor<8x8xf32> {mhlo.sharding = "{maximal device=3}"},
                  %i: tensor<8x8xf32> {mhlo.sharding = "{{devices=[8,1]<=[8]}}"},
                  %j: tensor<f32> {mhlo.sharding = "{manual}"}) {
    return
  }
}
