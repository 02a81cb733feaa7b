// Shardings that are not those of a batch among all processes.
// RUN: echo-opt %s --split-input-file --verify-diagnostics --partition-batch

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // expected-error@+1 {{has a sharding of argument #0 that does not divide one dimension among all 4 processes: write what each device does with jax.shard_map}}
  func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // expected-error@+1 {{has a sharding of argument #0 that does not divide one dimension among all 4 processes}}
  func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has a sharding of argument #0 that does not divide one dimension among all 4 processes}}
  func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}], unreduced={"x"}>}) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error@+1 {{has a sharding of result #0 that is not understood}}
  func.func @main(%x: tensor<4x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<4x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) {
    return %x : tensor<4x4xf32>
  }
}
