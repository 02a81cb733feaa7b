// RUN: echo-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lower-collectives{gather=true})'

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{has argument #0 of 'tensor<3xf32>' with a sharding that is not understood or does not cut it into equal parts}}
  func.func @main(%x: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error@+1 {{has argument #0 with a sharding of the partitioner before Shardy}}
  func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// A piece of an axis that does not divide it.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has argument #0 of 'tensor<8xf32>' with a sharding that is not understood}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// Pieces of one axis that overlap; an axis that cuts, and is summed over.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // expected-error@+1 {{has argument #0 of 'tensor<8x8xf32>' with a sharding that is not understood}}
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x":(2)2}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{has result #0 of 'tensor<8xf32>' with a sharding that is not understood}}
  func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"x"}>}) {
    return %x : tensor<8xf32>
  }
}

// -----

// Inside of another: parts of its parts.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%y: tensor<2xf32>) {
      // expected-error@+1 {{has operand #0 of 'tensor<2xf32>', of which its sharding does not make 'tensor<2xf32>'}}
      %3 = sdy.manual_computation(%y) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"y"} (%z: tensor<2xf32>) {
        sdy.return %z : tensor<2xf32>
      } : (tensor<2xf32>) -> tensor<2xf32>
      sdy.return %3 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
