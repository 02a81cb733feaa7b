// RUN: echo-opt %s --bucket-collectives=bytes=64 | FileCheck %s
// RUN: echo-opt %s --bucket-collectives=bytes=64 --bucket-collectives=bytes=64 | FileCheck %s
// RUN: echo-opt %s --bucket-collectives=bytes=64 --lower-collectives | FileCheck --check-prefix=CALLS %s
// RUN: echo-opt %s --bucket-collectives | FileCheck --check-prefix=MODEL %s
// RUN: echo-opt %s --bucket-collectives=bytes=63 | FileCheck --check-prefix=FULL %s

// The first two sums travel together, behind the second one's operand, and what reads the first comes behind them. The last one
// depends on the second; another reduction is another call. A bucket of 63 bytes holds one of 32. By the model of two processes
// on one machine 112 bytes in all make buckets of the square root of 112 B * 2.3 us * 8 GB/s, 1435 bytes.
// CHECK: %[[A:.*]] = stablehlo.tanh
// CHECK-NEXT: %[[B:.*]] = stablehlo.exponential
// CHECK-NEXT: %[[SUMS:.*]]:2 = "stablehlo.all_reduce"(%[[A]], %[[B]])
// CHECK: stablehlo.subtract %arg0, %[[SUMS]]#0
// CHECK-NEXT: %[[U:.*]] = stablehlo.subtract %arg1, %[[SUMS]]#1
// CHECK-NEXT: "stablehlo.all_reduce"(%[[U]])
// CHECK: "stablehlo.all_reduce"(%arg2)
// CALLS: custom_call @echo.mpi.all_reduce(%{{.*}}, %{{.*}}) {{.*}}reduction = "sum"
// CALLS: custom_call @echo.mpi.all_reduce(%{{[^,]*}}) {{.*}}reduction = "sum"
// CALLS: custom_call @echo.mpi.all_gather(%arg2)
// MODEL: "stablehlo.all_reduce"(%{{.*}}, %{{.*}})
// FULL: stablehlo.tanh
// FULL-NEXT: "stablehlo.all_reduce"(%{{[^,]*}})
// FULL: stablehlo.subtract
// FULL-NEXT: stablehlo.exponential
module attributes {mhlo.num_replicas = 4 : i32} {
  func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) {
    %a = stablehlo.tanh %x : tensor<8xf32>
    %ra = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %ua = stablehlo.subtract %x, %ra : tensor<8xf32>
    %b = stablehlo.exponential %y : tensor<8xf32>
    %rb = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %ub = stablehlo.subtract %y, %rb : tensor<8xf32>
    %rz = "stablehlo.all_reduce"(%z) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %rc = "stablehlo.all_reduce"(%ub) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %ua, %ub, %rz, %rc : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
  }
}
