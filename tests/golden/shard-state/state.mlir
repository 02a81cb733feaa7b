// What a step takes from the step before, the same on all processes, is kept in parts.
// RUN: echo-opt %s --split-input-file --shard-state --canonicalize --cse --dce | FileCheck %s
// RUN: echo-opt %s --split-input-file --pass-pipeline='builtin.module(shard-state{sums=parts},canonicalize,cse,dce)' | FileCheck %s --check-prefix=PARTS

// Momentum: its gradient comes in parts, the parameters are gathered when they are made.
// CHECK-LABEL: module @momentum
// CHECK:       func.func @main(%arg0: tensor<3x4xf32> {echo.parts = array<i64: 1, 1, 2>}, %arg1: tensor<8x4xf32>, %arg2: tensor<6x4xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}, %arg3: tensor<3x4xf32> {echo.parts = array<i64: 1, 1, 2>, tf.aliasing_output = 1 : i32}) -> (tensor<6x4xf32> {echo.parts = array<i64>}, tensor<3x4xf32> {echo.parts = array<i64: 1, 1, 2>})
// CHECK:       %[[G:.*]] = "stablehlo.reduce_scatter"(%{{.*}}) <{{.*}}scatter_dimension = 0 : i64
// CHECK:       (tensor<6x4xf32>) -> tensor<3x4xf32>
// CHECK-NOT:   all_reduce
// CHECK:       %[[M:.*]] = stablehlo.add %{{.*}}, %[[G]] : tensor<3x4xf32>
// CHECK:       %[[P:.*]] = stablehlo.subtract %{{.*}} : tensor<3x4xf32>
// CHECK:       %[[N:.*]] = "stablehlo.all_gather"(%[[P]]) <{all_gather_dim = 0 : i64
// CHECK:       return %[[N]], %[[M]]
// PARTS-LABEL: module @momentum
// PARTS:       reduce_scatter
module @momentum attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%other: tensor<3x4xf32> {echo.parts = array<i64: 1, 1, 2>}, %x: tensor<8x4xf32>, %p: tensor<6x4xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}, %m: tensor<6x4xf32> {echo.parts = array<i64>, tf.aliasing_output = 1 : i32}) -> (tensor<6x4xf32> {echo.parts = array<i64>}, tensor<6x4xf32> {echo.parts = array<i64>}) {
    %y = stablehlo.dot_general %x, %p, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<6x4xf32>) -> tensor<8x6xf32>
    %g = stablehlo.dot_general %y, %x, contracting_dims = [0] x [0] : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %s = "stablehlo.all_reduce"(%g) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %decay = stablehlo.constant dense<0.9> : tensor<6x4xf32>
    %d = stablehlo.multiply %m, %decay : tensor<6x4xf32>
    %n = stablehlo.add %d, %s : tensor<6x4xf32>
    %u = stablehlo.subtract %p, %n : tensor<6x4xf32>
    return %u, %n : tensor<6x4xf32>, tensor<6x4xf32>
  }
}

// -----

// A norm of the gradient is of the whole, with the bits of before, or the sum of what it is of each part.
// CHECK-LABEL: module @norm
// CHECK:       %[[G:.*]] = "stablehlo.all_reduce"
// CHECK:       (tensor<6xf32>) -> tensor<6xf32>
// CHECK:       stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
// CHECK:       return %{{.*}} : tensor<3xf32>
// PARTS-LABEL: module @norm
// PARTS:       "stablehlo.reduce_scatter"
// PARTS:       stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
// PARTS:       "stablehlo.all_reduce"
// PARTS:       (tensor<f32>) -> tensor<f32>
// PARTS:       return %{{.*}} : tensor<3xf32>
module @norm attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<6xf32>, %m: tensor<6xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}) -> (tensor<6xf32> {echo.parts = array<i64>}) {
    %s = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %q = stablehlo.multiply %s, %s : tensor<6xf32>
    %r = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %scale = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %d = stablehlo.divide %s, %scale : tensor<6xf32>
    %n = stablehlo.add %m, %d : tensor<6xf32>
    return %n : tensor<6xf32>
  }
}

// -----

// Stays whole: what each process reads whole for itself, what differs between processes (an argument that nothing is said of, or that
// becomes what differs), what no dimension of divides, and what has no place in the next step.
// CHECK-LABEL: module @whole
// CHECK:       func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}, %arg2: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %arg3: tensor<4xf32> {echo.parts = array<i64>, tf.aliasing_output = 2 : i32}, %arg4: tensor<5xf32> {echo.parts = array<i64>, tf.aliasing_output = 3 : i32}, %arg5: tensor<4xf32> {echo.parts = array<i64>})
// CHECK-NOT:   stablehlo.{{.*(gather|scatter)}}
// PARTS-LABEL: module @whole
module @whole attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>, %read: tensor<4xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}, %unsaid: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %differs: tensor<4xf32> {echo.parts = array<i64>, tf.aliasing_output = 2 : i32}, %odd: tensor<5xf32> {echo.parts = array<i64>, tf.aliasing_output = 3 : i32}, %free: tensor<4xf32> {echo.parts = array<i64>}) -> (tensor<4xf32> {echo.parts = array<i64>}, tensor<4xf32>, tensor<4xf32> {echo.parts = array<i64>}, tensor<5xf32> {echo.parts = array<i64>}, tensor<4xf32> {echo.parts = array<i64>}) {
    %y = stablehlo.multiply %x, %read : tensor<4xf32>
    %s = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %0 = stablehlo.add %read, %s : tensor<4xf32>
    %1 = stablehlo.add %unsaid, %s : tensor<4xf32>
    %2 = stablehlo.add %differs, %x : tensor<4xf32>
    %3 = stablehlo.negate %odd : tensor<5xf32>
    %4 = stablehlo.add %free, %s : tensor<4xf32>
    return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>
  }
}

// -----

// Of a 2 by 2 mesh the state is cut along "model" already: the rest of the processes cut each part. Replicas and partitions together are one number.
// CHECK-LABEL: module @mesh
// CHECK:       %arg1: tensor<1x8xf32> {echo.parts = array<i64: 2, 1, 2, 2, 2>, tf.aliasing_output = 0 : i32})
// CHECK:       "stablehlo.reduce_scatter"(%arg0) <{{.*}}replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
// PARTS-LABEL: module @mesh
module @mesh attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2x8xf32>, %m: tensor<2x8xf32> {echo.parts = array<i64: 1, 1, 2>, tf.aliasing_output = 0 : i32}) -> (tensor<2x8xf32> {echo.parts = array<i64: 1, 1, 2>}) {
    %s = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %n = stablehlo.add %m, %s : tensor<2x8xf32>
    return %n : tensor<2x8xf32>
  }
}

// -----

// Several steps in one loop: what it carries is cut from its beginning to its end.
// CHECK-LABEL: module @loop
// CHECK:       func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>, tf.aliasing_output = 0 : i32})
// CHECK:       stablehlo.while
// CHECK:       "stablehlo.reduce_scatter"
// PARTS-LABEL: module @loop
module @loop attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>, %m: tensor<4xf32> {echo.parts = array<i64>, tf.aliasing_output = 0 : i32}) -> (tensor<4xf32> {echo.parts = array<i64>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %v = %m) : tensor<i32>, tensor<4xf32>
    cond {
      %less = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %s = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
      %n = stablehlo.add %v, %s : tensor<4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %n : tensor<i32>, tensor<4xf32>
    }
    return %r#1 : tensor<4xf32>
  }
}
