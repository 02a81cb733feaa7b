// On one device a mesh is nothing to anybody, nor a sharding: a module that was written for many runs whole there. For many, --lower-collectives carries out what speaks of a mesh, and comes first.
// RUN: echo-opt --split-input-file --chlo-to-stablehlo %s | FileCheck %s
// RUN: echo-opt --split-input-file --to=planned %s -o /dev/null
// RUN: echo-opt --split-input-file --pass-pipeline='builtin.module(read-shardings,chlo-to-stablehlo,partition,lower-collectives,chlo-to-stablehlo)' %s | FileCheck %s --check-prefix=LOWERED

// CHECK-NOT: sdy.mesh
// CHECK-NOT: sdy.sharding_constraint
// CHECK:     return
module {
  sdy.mesh @mesh = <["x"=1]>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// CHECK-NOT:   sdy.mesh
// CHECK-NOT:   sdy.sharding_constraint
// CHECK:       return
// LOWERED:     func.func @main(%{{.*}}: tensor<2xf32>
// LOWERED-NOT: sdy
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
