// --to stops at a stage and says so on the module; from there it goes on to the next ones, and never back.
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=STEP
// RUN: echo-opt %s --to=step | echo-opt --to=planned | FileCheck %s --check-prefix=PLANNED
// RUN: echo-opt %s --to=planned > %t.direct && echo-opt %s --to=kernels | echo-opt --to=planned | diff %t.direct -
// RUN: echo-opt %s --to=planned | not echo-opt --to=step 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: not echo-opt %s --to=nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE

// STEP: module attributes {echo.stage = "step"}
// STEP: stablehlo.dot_general {{.*}} {echo.phase = "forward"}
// STEP: stablehlo.dot_general {{.*}} {echo.phase = "backward"}
// PLANNED: plan.peak_bytes
// PLANNED: "plan.arena"
// BACK: error: {{.*}} is at stage 'planned' already, past 'step'
// NOWHERE: error: {{.*}} --to: 'nowhere' is no stage
func.func @main(%w: tensor<4x8xf32>, %x: tensor<2x4xf32>) -> (tensor<f32>, tensor<4x8xf32>) {
  %y = "nn.linear"(%x, %w) : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %t = stablehlo.tanh %y : tensor<2x8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.reduce(%t init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%l, %w) : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %l, %g : tensor<f32>, tensor<4x8xf32>
}
