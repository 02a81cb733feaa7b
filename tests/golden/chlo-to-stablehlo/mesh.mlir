// On one device a mesh is nothing to anybody; a module for many keeps it until --lower-collectives has carried out what speaks of it.
// RUN: echo-opt --split-input-file --chlo-to-stablehlo %s | FileCheck %s
// RUN: echo-opt --split-input-file --pass-pipeline='builtin.module(chlo-to-stablehlo,lower-collectives{gather=true})' %s | FileCheck %s --check-prefix=LOWERED

// CHECK-NOT: sdy
// CHECK:     return
module {
  sdy.mesh @mesh = <["x"=1]>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// CHECK:       sdy.mesh @mesh
// CHECK:       sdy.sharding_constraint
// LOWERED:     func.func @main(%{{.*}}: tensor<2xf32>
// LOWERED-NOT: sdy
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
