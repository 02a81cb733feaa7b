// Ops between devices.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @ids() {
// CHECK-NEXT:    %0 = stablehlo.replica_id : tensor<ui32>
// CHECK-NEXT:    %1 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @ids() {
  %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @collectives(%arg0: tensor<4x8xf32>) {
// CHECK-NEXT:    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
// CHECK-NEXT:    %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>}> ({
// CHECK-NEXT:    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT:      %7 = stablehlo.add %arg1, %arg2 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %7 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %2 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x2xf32>
// CHECK-NEXT:    %3 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %4 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %5 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
// CHECK-NEXT:    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT:      %7 = stablehlo.add %arg1, %arg2 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %7 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %6 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @collectives(%arg0: tensor<4x8xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %8 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%8) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x2xf32>
  %3 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %7 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %6 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @collective_reduce(%arg0: tensor<4x8xf32>) {
// CHECK-NEXT:    %0 = "stablehlo.collective_reduce"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
// CHECK-NEXT:    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT:      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %1 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @collective_reduce(%arg0: tensor<4x8xf32>) {
  %0 = "stablehlo.collective_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @transfers(%arg0: !stablehlo.token, %arg1: tensor<3xi32>) {
// CHECK-NEXT:    %0:2 = "stablehlo.infeed"(%arg0) <{infeed_config = "foobar"}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
// CHECK-NEXT:    %1 = "stablehlo.outfeed"(%arg1, %arg0) <{outfeed_config = "x"}> : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT:    %2 = "stablehlo.send"(%arg1, %arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT:    %3:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @transfers(%arg0: !stablehlo.token, %arg1: tensor<3xi32>) {
  %0:2 = "stablehlo.infeed"(%arg0) <{infeed_config = "foobar"}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%arg1, %arg0) <{outfeed_config = "x"}> : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%arg1, %arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  "func.return"() : () -> ()
}

// CHECK:  func.func @async(%arg0: tensor<4x8xf32>) -> tensor<4x16xf32> {
// CHECK-NEXT:    %0 = "stablehlo.async_start"(%arg0) ({
// CHECK-NEXT:    ^bb0(%arg1: tensor<4x8xf32>):
// CHECK-NEXT:      %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<4x16xf32>
// CHECK-NEXT:    }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x16xf32>>
// CHECK-NEXT:    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x16xf32>>) -> tensor<4x16xf32>
// CHECK-NEXT:    return %1 : tensor<4x16xf32>
// CHECK-NEXT:  }
func.func @async(%arg0: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<4x8xf32>):
    %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    "stablehlo.return"(%2) : (tensor<4x16xf32>) -> ()
  }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x16xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x16xf32>>) -> tensor<4x16xf32>
  "func.return"(%1) : (tensor<4x16xf32>) -> ()
}
