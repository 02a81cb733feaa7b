// Shardings over several axes: weights cut along one, the batch along another.
// RUN: echo-opt %s --split-input-file --partition --canonicalize --dce | FileCheck %s

// Two layers, as tensor parallelism has them: the first gives columns, the second contracts them, and one sum follows among those that differ along "model".
// CHECK-LABEL: @tensor_parallel
// CHECK-SAME:  {mhlo.num_partitions = 4 : i32}
// CHECK:       %[[H:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK:       %[[Y:.*]] = stablehlo.dot_general %{{.*}}, %arg2, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK:       %[[S:.*]] = "stablehlo.all_reduce"(%[[Y]]) <{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK-NOT:   all_gather
// CHECK:       return %[[S]]
module @tensor_parallel attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]>
  func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<8x6xf32> {
    %h = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
    %t = stablehlo.tanh %h : tensor<8x8xf32>
    %y = stablehlo.dot_general %t, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    return %y : tensor<8x6xf32>
  }
}

// -----

// Weights that are cut as the batch is: gathered for the product, which is small, and their gradient is reduced to its parts.
// CHECK-LABEL: @fsdp
// CHECK:       %[[W:.*]] = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64
// CHECK:       stablehlo.dot_general %arg0, %[[W]], {{.*}} -> tensor<32x4xf32>
// CHECK:       %[[G:.*]] = stablehlo.dot_general {{.*}}contracting_dims = [0] x [0] : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<4x4xf32>
// CHECK:       "stablehlo.reduce_scatter"(%[[G]]) <{{.*}}scatter_dimension = 0 : i64
// CHECK:       stablehlo.subtract %arg1, %{{.*}} : tensor<2x4xf32>
// CHECK-NOT:   all_reduce
module @fsdp attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%x: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<4x4xf32> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
    %t = stablehlo.tanh %y : tensor<64x4xf32>
    %g = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
    %n = stablehlo.subtract %w, %g : tensor<4x4xf32>
    return %n : tensor<4x4xf32>
  }
}

// -----

// Devices in another order: parts change places as they come in and go out, and nowhere else.
// CHECK-LABEL: @ordered
// CHECK:       func.func @main(%arg0: tensor<2xf32> {echo.order = array<i64: 2, 3, 0, 1>, echo.parts = array<i64: 1, 1, 4>}) -> (tensor<2xf32> {echo.order = array<i64: 2, 3, 0, 1>, echo.parts = array<i64: 1, 1, 4>}, tensor<f32> {echo.parts = array<i64>})
// CHECK:       %[[X:.*]] = "stablehlo.collective_permute"(%arg0) <{{.*}}source_target_pairs = dense<{{\[\[}}2, 0], [3, 1], [0, 2], [1, 3]]>
// CHECK:       %[[N:.*]] = stablehlo.negate %[[X]] : tensor<2xf32>
// CHECK:       "stablehlo.collective_permute"(%[[N]]) <{{.*}}source_target_pairs = dense<{{\[\[}}0, 2], [1, 3], [2, 0], [3, 1]]>
module @ordered attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4], device_ids=[2, 3, 0, 1]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.negate %x : tensor<8xf32>
    %s = stablehlo.reduce(%n init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %n, %s : tensor<8xf32>, tensor<f32>
  }
}

// -----

// What is not divided by its axes is had whole; a dimension that is open stays as it comes.
// CHECK-LABEL: @constraints
// CHECK:       stablehlo.negate %{{.*}} : tensor<4x6xf32>
// CHECK:       stablehlo.exponential %{{.*}} : tensor<2x3xf32>
// CHECK:       return %{{.*}}, %{{.*}} : tensor<4x6xf32>, tensor<2x3xf32>
module @constraints attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = sdy.sharding_constraint %x <@mesh, [{}, {"x", "y"}]> : tensor<4x6xf32>
    %1 = stablehlo.negate %0 : tensor<4x6xf32>
    %2 = sdy.sharding_constraint %x <@mesh, [{?}, {"y"}]> : tensor<4x6xf32>
    %3 = stablehlo.exponential %2 : tensor<4x6xf32>
    return %1, %3 : tensor<4x6xf32>, tensor<4x6xf32>
  }
}

// -----

// A gradient that is read twice, in parts both times, and by a sum of its squares: reduced to parts, once; the sum is of parts, then among all.
// CHECK-LABEL: @read_in_parts
// CHECK:       %[[G:.*]] = stablehlo.dot_general {{.*}} -> tensor<4x4xf32>
// CHECK-NEXT:  %[[P:.*]] = "stablehlo.reduce_scatter"(%[[G]]) <{{.*}}scatter_dimension = 0 : i64
// CHECK:       %[[Q:.*]] = stablehlo.multiply %[[P]], %[[P]] : tensor<2x4xf32>
// CHECK:       %[[N:.*]] = stablehlo.reduce(%[[Q]]
// CHECK-NEXT:  "stablehlo.all_reduce"(%[[N]])
// CHECK:       stablehlo.add %arg1, %[[P]] : tensor<2x4xf32>
// CHECK:       stablehlo.add %arg2, %[[Q]] : tensor<2x4xf32>
// CHECK-NOT:   stablehlo.all
module @read_in_parts attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%x: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %m: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %v: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %g = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
    %q = stablehlo.multiply %g, %g : tensor<4x4xf32>
    %s = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %a = stablehlo.add %m, %g : tensor<4x4xf32>
    %b = stablehlo.add %v, %q : tensor<4x4xf32>
    return %a, %b, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>
  }
}

// -----

// What every process has whole, and a result wanted in parts: a product of parts.
// CHECK-LABEL: @made_in_parts
// CHECK:       stablehlo.dot_general %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NOT:   tensor<4x4xf32>, tensor<i64>
module @made_in_parts attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %g = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %t = stablehlo.tanh %g : tensor<4x4xf32>
    return %t : tensor<4x4xf32>
  }
}
