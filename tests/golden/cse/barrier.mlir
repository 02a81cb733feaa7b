// RUN: echo-opt %s --cse | FileCheck %s
// RUN: echo-opt %s --pass-pipeline="builtin.module(cse{ignore=echo.phase})" | FileCheck %s --check-prefix=IGNORE

// What starts behind a barrier is a value of its own: recomputation survives.
// CHECK-LABEL: func.func @recompute
// CHECK-NEXT:    %[[FIRST:.*]] = stablehlo.tanh
// CHECK-NEXT:    %[[B:.*]]:2 = stablehlo.optimization_barrier
// CHECK-NEXT:    %[[AGAIN:.*]] = stablehlo.tanh %[[B]]#0
// CHECK-NEXT:    return %[[FIRST]], %[[AGAIN]], %[[B]]#1
func.func @recompute(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1:2 = stablehlo.optimization_barrier %x, %g : tensor<4xf32>, tensor<4xf32>
  %2 = stablehlo.tanh %1#0 : tensor<4xf32>
  return %0, %2, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Equal barriers are kept apart too.
// CHECK-LABEL: func.func @barriers
// CHECK-COUNT-2: stablehlo.optimization_barrier
func.func @barriers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4xf32>
  %1 = stablehlo.optimization_barrier %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Discardable attributes count, but for those that are ignored.
// CHECK-LABEL:  func.func @phases
// CHECK-COUNT-2:  stablehlo.tanh
// IGNORE-LABEL: func.func @phases
// IGNORE-NEXT:    %[[T:.*]] = stablehlo.tanh %{{.*}} {echo.phase = "forward"}
// IGNORE-NEXT:    return %[[T]], %[[T]]
func.func @phases(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %x {echo.phase = "forward"} : tensor<4xf32>
  %1 = stablehlo.tanh %x {echo.phase = "backward"} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
