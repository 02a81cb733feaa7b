// RUN: echo-opt --merge-recomputed %s | FileCheck %s
// Once is enough.
// RUN: echo-opt --merge-recomputed %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(merge-recomputed,merge-recomputed)' %s | diff %t.once.mlir -

// Nothing is computed twice: no offer, and the barrier stays.
// CHECK-LABEL: func.func @apart(
// CHECK:         stablehlo.optimization_barrier
func.func @apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.tanh %x : tensor<4xf32>
  %b = stablehlo.optimization_barrier %t : tensor<4xf32>
  %u = stablehlo.tanh %b : tensor<4xf32>
  return %u : tensor<4xf32>
}

// What calls others has no copy that stands by itself: it is inlined first, or has no offer.
// CHECK-LABEL: func.func @calls(
// CHECK:         call @apart
func.func @calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = stablehlo.tanh %x : tensor<4xf32>
  %b = stablehlo.optimization_barrier %x : tensor<4xf32>
  %u = stablehlo.tanh %b : tensor<4xf32>
  %v = call @apart(%u) : (tensor<4xf32>) -> tensor<4xf32>
  return %t, %v : tensor<4xf32>, tensor<4xf32>
}

// What jax.checkpoint runs again is read where it was made first; the phases of the two differ. The cotangent, too, goes through the barrier.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: stablehlo.tanh
// CHECK-LABEL: func.func @main_0(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>, %[[W:.*]]: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) attributes {echo.merged = @main}
// CHECK-NEXT:    %[[D:.*]] = stablehlo.dot_general %[[X]], %[[W]]
// CHECK-NEXT:    %[[T:.*]] = stablehlo.tanh %[[D]] {echo.phase = "forward"}
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[T]], %[[T]]
// CHECK-NEXT:    %[[A:.*]] = stablehlo.add %[[M]], %[[D]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.subtract %[[A]], %[[T]]
// CHECK-NEXT:    return {{.*}}%[[M]], %[[S]]
// CHECK-NOT:   echo.merged
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = stablehlo.tanh %d {echo.phase = "forward"} : tensor<4x4xf32>
  %m = stablehlo.multiply %t, %t : tensor<4x4xf32>
  %b:3 = stablehlo.optimization_barrier %x, %w, %m : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  %e = stablehlo.dot_general %b#0, %b#1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = stablehlo.tanh %e {echo.phase = "backward"} : tensor<4x4xf32>
  %a = stablehlo.add %b#2, %e : tensor<4x4xf32>
  %s = stablehlo.subtract %a, %u : tensor<4x4xf32>
  return %m, %s : tensor<4x4xf32>, tensor<4x4xf32>
}
