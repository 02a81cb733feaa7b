// NCCL combines integers, whose sums are the same in any order. Floats are combined by the program, from the first member of the group to the last: gathered where all of it is sent while a
// second call would begin, else in a part a member; what travels together is one call each way.
// RUN: echo-opt %s --lower-collectives=engine=nccl | FileCheck %s --check-prefixes=CHECK,SMALL
// RUN: echo 'name = slow' > %t.device
// RUN: echo 'link_bytes_per_s = 1e6' >> %t.device
// RUN: echo-opt %s --lower-collectives='engine=nccl device=%t.device' | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: not echo-opt %s --lower-collectives=engine=gossip 2>&1 | FileCheck %s --check-prefix=ENGINE
// ENGINE: error: {{.*}}has collectives, and 'gossip' carries none: mpi and nccl do

module attributes {mhlo.num_replicas = 4 : i32} {
  // CHECK-LABEL: func.func @main
  func.func @main(%n: tensor<6xi32>, %b: tensor<6xi1>, %h: tensor<6xi16>, %x: tensor<2x3xf32>, %y: tensor<8xf32>) -> (tensor<6xi32>, tensor<6xi1>, tensor<6xi16>, tensor<2x3xf32>, tensor<8xf32>) {
    // CHECK: stablehlo.custom_call @echo.mpi.all_reduce(%arg0) {{.*}}reduction = "sum"
    %0 = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<6xi32>) -> tensor<6xi32>
    // What it has no reduction or no type for.
    // CHECK: custom_call @echo.mpi.all_{{gather|to_all}}(
    // CHECK: stablehlo.or
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<i1>, %q: tensor<i1>):
      %s = stablehlo.or %p, %q : tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<6xi1>) -> tensor<6xi1>
    // CHECK: custom_call @echo.mpi.all_{{gather|to_all}}({{.*}}xi16>) ->
    %2 = "stablehlo.all_reduce"(%h) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<i16>, %q: tensor<i16>):
      %s = stablehlo.add %p, %q : tensor<i16>
      stablehlo.return %s : tensor<i16>
    }) : (tensor<6xi16>) -> tensor<6xi16>
    // SMALL: custom_call @echo.mpi.all_gather(%arg3, %arg4) {{.*}} : (tensor<2x3xf32>, tensor<8xf32>) -> (tensor<4x2x3xf32>, tensor<4x8xf32>)
    // SMALL-NOT: echo.mpi.all_to_all
    // LARGE: %[[FLAT:.*]] = stablehlo.reshape %arg3 : (tensor<2x3xf32>) -> tensor<6xf32>
    // LARGE: %[[PADDED:.*]] = stablehlo.pad %[[FLAT]], %{{.*}}, low = [0], high = [2]
    // LARGE: %[[A:.*]] = stablehlo.reshape %[[PADDED]] : (tensor<8xf32>) -> tensor<4x2xf32>
    // LARGE: %[[B:.*]] = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<4x2xf32>
    // LARGE: %[[GOT:.*]]:2 = stablehlo.custom_call @echo.mpi.all_to_all(%[[A]], %[[B]])
    // LARGE-COUNT-6: stablehlo.map
    // LARGE: custom_call @echo.mpi.all_gather(%{{[^,]*}}, %{{[^,]*}}) {{.*}} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
    // LARGE: stablehlo.slice {{.*}} [0:6]
    %3:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<8xf32>) -> (tensor<2x3xf32>, tensor<8xf32>)
    return %0, %1, %2, %3#0, %3#1 : tensor<6xi32>, tensor<6xi1>, tensor<6xi16>, tensor<2x3xf32>, tensor<8xf32>
  }
}
