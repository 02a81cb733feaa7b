// What state in parts sends travels together, too: gradients that come in parts are pieces of one exchange, added up from the first
// member to the last, and what the step returns whole is gathered by one call. A gather that is read within the step stays where it is.
// RUN: echo-opt %s --bucket-collectives=bytes=1024 --canonicalize --cse --dce | FileCheck %s
// RUN: echo-opt %s --bucket-collectives=bytes=1024 --canonicalize --lower-collectives | FileCheck %s --check-prefix=CALLS
// RUN: echo-opt %s --bucket-collectives=bytes=1024 --canonicalize '--lower-collectives=engine=nccl' | FileCheck %s --check-prefix=CALLS
// RUN: echo-opt %s --bucket-collectives=bytes=64 --lower-collectives | FileCheck %s --check-prefix=APART

// CHECK:     %[[READ:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK:     %[[E:.*]]:2 = "stablehlo.all_to_all"(%{{[^,]*}}, %{{[^,]*}}) <{{.*}}concat_dimension = 0 : i64{{.*}}split_count = 2 : i64, split_dimension = 0 : i64
// CHECK-SAME: (tensor<2x3x4xf32>, tensor<2x8x1xf32>) -> (tensor<2x3x4xf32>, tensor<2x8x1xf32>)
// CHECK:     stablehlo.slice %[[E]]#0 [0:1
// CHECK:     stablehlo.slice %[[E]]#0 [1:2
// CHECK:     %[[G:.*]]:2 = "stablehlo.all_gather"(%{{[^,]*}}, %{{[^,]*}}) <{all_gather_dim = 0 : i64
// CHECK:     return %[[G]]#0, %{{.*}} : tensor<6x4xf32>, tensor<16xf32>, tensor<6x4xf32>
// CALLS:     @echo.mpi.all_gather(%arg0)
// CALLS:     @echo.mpi.all_to_all(%{{[^,]*}}, %{{[^,]*}})
// CALLS:     @echo.mpi.all_gather(%{{[^,]*}}, %{{[^,]*}})
// APART:     @echo.mpi.all_gather(%arg0)
// APART:     @echo.mpi.all_to_all(%{{[^,]*}})
// APART:     @echo.mpi.all_to_all(%{{[^,]*}})
// APART:     @echo.mpi.all_gather(%{{[^,]*}})
// APART:     @echo.mpi.all_gather(%{{[^,]*}})
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%p: tensor<3x4xf32>, %x: tensor<6x4xf32>, %y: tensor<8x2xf32>, %q: tensor<8x1xf32>) -> (tensor<6x4xf32>, tensor<16xf32>, tensor<6x4xf32>) {
    %read = "stablehlo.all_gather"(%p) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<3x4xf32>) -> tensor<6x4xf32>
    %used = stablehlo.tanh %read : tensor<6x4xf32>
    %g = stablehlo.multiply %x, %used : tensor<6x4xf32>
    %gs = "stablehlo.reduce_scatter"(%g) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<6x4xf32>) -> tensor<3x4xf32>
    %h = stablehlo.exponential %y : tensor<8x2xf32>
    %hs = "stablehlo.reduce_scatter"(%h) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<8x2xf32>) -> tensor<8x1xf32>
    %u = stablehlo.subtract %p, %gs : tensor<3x4xf32>
    %v = stablehlo.subtract %q, %hs : tensor<8x1xf32>
    %uw = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<3x4xf32>) -> tensor<6x4xf32>
    %vw = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<8x1xf32>) -> tensor<16x1xf32>
    %flat = stablehlo.reshape %vw : (tensor<16x1xf32>) -> tensor<16xf32>
    return %uw, %flat, %used : tensor<6x4xf32>, tensor<16xf32>, tensor<6x4xf32>
  }
}
