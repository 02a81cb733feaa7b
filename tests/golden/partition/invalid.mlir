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
    // expected-error@+1 {{is a shard_map as JAX writes it without Shardy, which is not read: leave jax_use_shardy_partitioner on}}
    %r = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// expected-error@+1 {{is for 1 times 3 processes: its values cannot be divided among others}}
module attributes {mhlo.num_partitions = 3 : i32} {
  func.func @main(%x: tensor<12xf32>) -> tensor<12xf32> {
    return %x : tensor<12xf32>
  }
}

