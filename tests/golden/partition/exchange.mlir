// What is cut in another place than it is wanted is exchanged; what a slice, a padding or a concatenation moves in whole blocks stays where it is.
// RUN: echo-opt %s --split-input-file --partition --canonicalize --dce | FileCheck %s

// Within one dimension, too: the slower axis under the faster one. Of 8 rows each has 1, and hands it to those whose block it is in.
// CHECK-LABEL: @order
// CHECK:       "stablehlo.all_to_all"
// CHECK-SAME:  split_count = 2
// CHECK-NOT:   all_gather
module @order attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>}) {
    %0 = stablehlo.add %x, %x : tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}

// -----

// Two axes at once.
// CHECK-LABEL: @together
// CHECK:       "stablehlo.all_to_all"
// CHECK-SAME:  split_count = 4
// CHECK-NOT:   stablehlo.all_
module @together attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a", "b"}]>}) {
    %0 = stablehlo.add %x, %x : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

// Columns are taken by twos, and in halves of each block of 8.
// CHECK-LABEL: @blocks
// CHECK-NOT:   all_gather
// CHECK:       stablehlo.slice %arg0 [0:3, 1:4:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
// CHECK:       stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK:       stablehlo.concatenate %arg0, %{{.*}}, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
// CHECK:       stablehlo.slice %{{.*}} [0:3, 4:8] : (tensor<3x8xf32>) -> tensor<3x4xf32>
// CHECK-NOT:   all_gather
module @blocks attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["a"=2]>
  func.func @main(%x: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> (tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) {
    %odd = stablehlo.slice %x [0:3, 1:8:2] : (tensor<3x8xf32>) -> tensor<3x4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %even = stablehlo.pad %odd, %zero, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x8xf32>
    %all = stablehlo.concatenate %x, %even, dim = 1 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x16xf32>
    %half = stablehlo.slice %all [0:3, 8:16] : (tensor<3x16xf32>) -> tensor<3x8xf32>
    return %half : tensor<3x8xf32>
  }
}
