// Dimensions of which indices pick single elements, cut: each process looks in its part, nothing of a table travels.
// RUN: echo-opt %s --split-input-file --partition --canonicalize --dce | FileCheck %s

// Words of a table that is cut along its rows: of those that a process has not it reads -0, which adds nothing to any number.
// CHECK-LABEL: @words
// CHECK:       stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<6x1xi64>
// CHECK:       stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi1>
// CHECK:       %[[READ:.*]] = "stablehlo.gather"(%arg0, %{{.*}}) {{.*}} : (tensor<2x3xf32>, tensor<6x1xi64>) -> tensor<6x3xf32>
// CHECK:       %[[PART:.*]] = stablehlo.select %{{.*}}, %[[READ]], %{{.*}} : tensor<6x3xi1>, tensor<6x3xf32>
// CHECK:       "stablehlo.all_reduce"(%[[PART]])
module @words attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=4]>
  func.func @main(%table: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %ids: tensor<6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xf32>, tensor<6x1xi32>) -> tensor<6x3xf32>
    return %0 : tensor<6x3xf32>
  }
}

// -----

// The gradient is added up in each process's rows alone; the others' updates are dropped.
// CHECK-LABEL: @gradient
// CHECK-NOT:   all_
// CHECK:       stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<6x1xi1>, tensor<6x1xi64>
// CHECK-NOT:   all_
// CHECK:       "stablehlo.scatter"
// CHECK:       : (tensor<2x3xf32>, tensor<6x1xi64>, tensor<6x3xf32>) -> tensor<2x3xf32>
// CHECK-NOT:   all_
module @gradient attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=4]>
  func.func @main(%d: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %ids: tensor<6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
    %zeros = stablehlo.constant dense<0.0> : tensor<8x3xf32>
    %0 = "stablehlo.scatter"(%zeros, %ids, %d) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<6x1xi32>, tensor<6x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}

// -----

// One row read, another written.
// CHECK-LABEL: @rows
// CHECK:       stablehlo.dynamic_slice %arg0, {{.*}} : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
// CHECK:       "stablehlo.all_reduce"
// CHECK:       : (tensor<1x3xf32>) -> tensor<1x3xf32>
// CHECK:       stablehlo.dynamic_update_slice %arg0, {{.*}} : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
// CHECK-NOT:   all_gather
module @rows attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=4]>
  func.func @main(%table: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %i: tensor<i32>, %j: tensor<i32>) -> tensor<8x3xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %table, %i, %zero, sizes = [1, 3] : (tensor<8x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.tanh %0 : tensor<1x3xf32>
    %2 = stablehlo.dynamic_update_slice %table, %1, %j, %zero : (tensor<8x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
    return %2 : tensor<8x3xf32>
  }
}
