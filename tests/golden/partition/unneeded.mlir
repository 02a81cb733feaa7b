// Shardings that stand only at what nothing needs leave every process all of every value: results are whole, not one of each process. What
// speaks of processes by itself is left as it is written.
// RUN: split-file %s %t
// RUN: echo-opt --read-shardings --inline --symbol-dce --canonicalize --dce --partition %t/unneeded.mlir | FileCheck %s
// RUN: echo-opt --read-shardings --inline --symbol-dce --canonicalize --dce --partition %t/own.mlir | FileCheck %s --check-prefix=OWN

// CHECK: func.func @main(%arg0: tensor<8x2xi32> {echo.parts = array<i64>}) -> (tensor<8x2xi32> {echo.parts = array<i64>}) {
// OWN:   func.func @main(%arg0: tensor<8x2xi32>) -> (tensor<8x2xi32>, tensor<ui32>) {

//--- unneeded.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<8x2xi32>) -> tensor<8x2xi32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8x2xi32>
    %1 = call @foo(%0) : (tensor<8x2xi32>) -> tensor<8x2xi32>
    return %0 : tensor<8x2xi32>
  }
  func.func private @foo(%arg0: tensor<8x2xi32>) -> tensor<8x2xi32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> : tensor<8x2xi32>
    return %0 : tensor<8x2xi32>
  }
}
//--- own.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<8x2xi32>) -> (tensor<8x2xi32>, tensor<ui32>) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> : tensor<8x2xi32>
    return %arg0, %0 : tensor<8x2xi32>, tensor<ui32>
  }
}
