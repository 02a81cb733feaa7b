// Shardings that are none of the module's processes, or do not divide what they cut.
// RUN: echo-opt %s --split-input-file --verify-diagnostics --partition

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{is split along dimension 0 of argument #0, 'tensor<3xf32>', which 2 processes do not divide}}
  func.func @main(%x: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{is split along dimension 0 of result #0, 'tensor<3xf32>', which 2 processes do not divide}}
  func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    return %x : tensor<3xf32>
  }
}

// -----

// A piece of an axis that does not divide it.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// Pieces of one axis that overlap; an axis that cuts, and is summed over.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x":(2)2}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{has a sharding of result #0 that is not understood}}
  func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"x"}>}) {
    return %x : tensor<8xf32>
  }
}

// -----

// Three devices along one, two along the other: no row of digits is both.
module attributes {mhlo.num_partitions = 6 : i32} {
  sdy.mesh @rows = <["x"=2, "y"=3]>
  sdy.mesh @columns = <["x"=3, "y"=2]>
  // expected-error@+1 {{has a sharding of argument #1 whose axes lie across those of others among the 6 processes: use meshes whose axes nest}}
  func.func @main(%x: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@rows, [{"x"}, {"y"}]>}, %y: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@columns, [{"x"}, {"y"}]>}) -> tensor<6x6xf32> {
    return %x : tensor<6x6xf32>
  }
}

// -----

// A device twice.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2], device_ids=[0, 0]>
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error@+1 {{has a sharding of argument #0 that is not understood}}
  func.func @main(%x: tensor<4x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
    return %x : tensor<4x4xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4x4xf32> {mhlo.sharding = "{replicated}"}) -> tensor<4x4xf32> {
    // expected-error@+1 {{has a sharding that is not understood}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4,1]<=[2,2]T(0,0)}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// A mesh that nothing declares.
module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error@+1 {{has a sharding of result #0 on the mesh @mesh, which no sdy.mesh declares}}
  func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    // expected-error@+1 {{has a sharding on the mesh @mesh, which no sdy.mesh declares}}
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{has a sharding of result #0 on the mesh @other, which no sdy.mesh declares}}
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@other, [{"x"}]>] manual_axes={"x"} (%y: tensor<4xf32>) {
      sdy.return %y : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
