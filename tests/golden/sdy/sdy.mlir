// What JAX writes of Shardy for one device comes back as it was; a constraint folds away, and
// all of it goes with chlo.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: echo-opt %s --chlo-to-stablehlo | FileCheck %s --check-prefix=GONE

// CHECK:  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
// CHECK-NEXT:  sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-NEXT:  func.func @f(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
// CHECK-NEXT:    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
// CHECK-NEXT:    sdy.sharding_group %0 group_id=7 : tensor<4x8xf32>
// CHECK-NEXT:    return %0 : tensor<4x8xf32>
// FOLDED-NOT: sharding_constraint
// GONE-NOT: sdy.mesh @
// GONE-NOT: sharding_constraint
// GONE-NOT: sharding_group
sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @f(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  sdy.sharding_group %0 group_id=7 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// What Shardy's own tools write, too: where a value comes to lie, how a sharding goes on, a mesh whose attribute stands there whole.
// CHECK:  sdy.mesh @whole = <["x"=2, "y"=4]>
// CHECK:    %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
// CHECK-NEXT: %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD {note} : tensor<4x8xf32>
// FOLDED-NOT: reshard
// FOLDED-NOT: propagation_barrier
// GONE-NOT: reshard
// GONE-NOT: propagation_barrier
sdy.mesh @whole = #sdy.mesh<["x"=2, "y"=4]>
func.func @g(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD {note} : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
