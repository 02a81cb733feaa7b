// A batch that is none, and modules that are for others: refused, with what to do.
// RUN: echo-opt %s --split-input-file --verify-diagnostics --partition="processes=4 batch=arg0"

module {
  // expected-error@+1 {{is split along dimension 0 of argument #0, 'tensor<6xf32>', which 4 processes do not divide: take another batch size, or as many processes as divide it}}
  func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

module {
  // expected-error@+1 {{is split along dimension 0 of argument #0, which 'tensor<f32>' has not}}
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
}

// -----

module {
  // expected-error@+1 {{has 0 arguments, and 'arg0' is none of them}}
  func.func @main() {
    return
  }
}

// -----

module {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>) {
    // expected-error@+1 {{stands in a program that is to be partitioned: it is so already}}
    %r = stablehlo.partition_id : tensor<ui32>
    return %x, %r : tensor<4xf32>, tensor<ui32>
  }
}

// -----

module {
  func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
    // expected-error@+1 {{is a shard_map over some axes of a mesh, or by a sharding that is not understood: leave jax_use_shardy_partitioner on}}
    %r = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{has 'tensor<4xf32>' and 'tensor<2xf32>', which its sharding does not make of each other}}
    %r = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<1xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{is on a mesh whose devices stand in another order than the processes: constrain it to a mesh of that order first}}
    %r = stablehlo.custom_call @SPMDShardToFullShape(%x) {mhlo.sharding = "{devices=[4]3,2,1,0}"} : (tensor<1xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// expected-error@+1 {{is for 1 times 3 processes: its values cannot be divided among others}}
module attributes {mhlo.num_partitions = 3 : i32} {
  func.func @main(%x: tensor<12xf32>) -> tensor<12xf32> {
    return %x : tensor<12xf32>
  }
}

