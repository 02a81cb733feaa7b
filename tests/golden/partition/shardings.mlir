// By shardings, of Shardy and of GSPMD: arguments, a result that is wanted whole, one that takes an argument's place.
// RUN: echo-opt %s --split-input-file --partition --canonicalize --cse | FileCheck %s
// RUN: echo-opt %s --split-input-file --read-shardings | FileCheck %s --check-prefix=READ

// CHECK-LABEL: @two_axes
// CHECK:       func.func @main(%arg0: tensor<3x2xf32> {echo.parts = array<i64: 0, 1, 1, 4>}, %arg1: tensor<3xf32> {echo.parts = array<i64>}) -> (tensor<3x8xf32> {echo.parts = array<i64>, jax.result_info = "out"}, tensor<3x2xf32> {echo.parts = array<i64: 0, 1, 1, 4>})
// CHECK:       %[[SUM:.*]] = stablehlo.add %arg0
// CHECK:       "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 1 : i64
// READ:        func.func @main(%arg0: tensor<3x8xf32> {echo.sharding = array<i64: 0, 2, 2, 2, 1, 2>}, %arg1: tensor<3xf32> {echo.sharding = array<i64: 0>}) -> (tensor<3x8xf32> {echo.sharding = array<i64: 0, 0>, jax.result_info = "out"}, tensor<3x8xf32>)
module @two_axes attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["host"=2, "device"=2]>
  func.func @main(%arg0: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"host", "device"}]>}, %arg1: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<3x8xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<3x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<3x8xf32>
    return %1, %1 : tensor<3x8xf32>, tensor<3x8xf32>
  }
}

// -----

// CHECK-LABEL: @gspmd
// CHECK:       func.func @main(%arg0: tensor<2x3xf32> {echo.parts = array<i64: 1, 1, 2>, tf.aliasing_output = 0 : i32}, %arg1: tensor<4x3xf32> {echo.parts = array<i64>}) -> (tensor<2x3xf32> {echo.parts = array<i64: 1, 1, 2>}, tensor<2x3xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK:       stablehlo.dynamic_slice %arg1
// CHECK-SAME:  sizes = [2, 3]
module @gspmd attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%arg0: tensor<4x3xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}", tf.aliasing_output = 0 : i32}, %arg1: tensor<4x3xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<4x3xf32>, tensor<4x3xf32> {mhlo.sharding = "{devices=[2,1]0,1}"}) {
    return %arg1, %arg0 : tensor<4x3xf32>, tensor<4x3xf32>
  }
}

// -----

// A mesh that stands in the sharding itself.
// CHECK-LABEL: @written
// CHECK:       func.func @main(%arg0: tensor<4x3xf32> {echo.parts = array<i64: 1, 1, 2>}) -> (tensor<4x3xf32> {echo.parts = array<i64: 1, 1, 2>})
module @written attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}, {}]>}) -> tensor<8x3xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}

// -----

// Of a function that was exported for one device: its mesh cuts nothing.
// CHECK-LABEL: @of_one
// CHECK:       func.func @main(%arg0: tensor<4x3xf32> {echo.parts = array<i64: 1, 1, 2>}) -> (tensor<8x3xf32> {echo.parts = array<i64>})
// READ-LABEL:  @of_one
// READ:        sdy.sharding_constraint
// READ-SAME:   echo.sharding = array<i64: 1, 1, 1, 0>
module @of_one attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @one = <["i"=1]>
  func.func @main(%arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x3xf32> {
    %0 = sdy.sharding_constraint %arg0 <@one, [{"i"}, {}]> : tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}
