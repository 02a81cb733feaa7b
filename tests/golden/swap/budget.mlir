// One budget: recompute what is cheap, swap what is not, keep the rest.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --outputs=%t/kept.npz --quiet --no-cache
// RUN: echo-opt %s --to=planned --echo=budget=1.171875MiB,swap=on -o %t/planned.mlir
// RUN: echo-opt %t/planned.mlir --verify-plan | FileCheck %s
// RUN: echo-run %s --echo=budget=1200KiB,swap=on --expect=%t/kept.npz --rtol=0 --atol=0 --no-cache | FileCheck %s --check-prefix=RUN-CHECKS
// RUN: echo-opt %s --to=planned --echo=budget=16MiB,swap=on | FileCheck %s --check-prefix=ROOM
// RUN: echo-opt %s --to=planned --echo=budget=min,swap=on | FileCheck %s --check-prefix=LEAST
// RUN: not echo-opt %s --to=planned --echo=budget=600KiB 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: not echo-opt %s --to=planned --echo=budget=600KiB,swap=on 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: not echo-opt %s --to=planned --echo=swap=on 2>&1 | FileCheck %s --check-prefix=GOAL
// RUN: not echo-opt %s --to=planned --echo=budget=1MiB,swap=perhaps 2>&1 | FileCheck %s --check-prefix=WORD

// A size is written alike everywhere.
// RUN: not echo-opt %s --to=planned --echo=budget=1.5GBs 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not echo-opt %t/planned.mlir --swap=limit=1.5 2>&1 | FileCheck %s --check-prefix=LIMIT

// CHECK: echo.swap_limit_bytes = 1228800
// CHECK: "plan.swap_out"
// RUN-CHECKS: res0: same
// ROOM-NOT: plan.swap_out
// LEAST: "plan.swap_out"
// LITTLE: error: 'func.func' op cannot be brought below the budget: the smallest possible one is [[#]] bytes
// GOAL: error: swap=on wants a budget
// SIZE: error: budget is a number of bytes or min, not '1.5GBs'
// LIMIT: error: limit is a number of bytes, not '1.5'
// WORD: error: {{.*}}'perhaps'
func.func @main(%x: tensor<1024x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>, %w3: tensor<64x64xf32>)
    -> (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %h0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  %a0 = stablehlo.tanh %h0 : tensor<1024x64xf32>
  %h1 = stablehlo.dot_general %a0, %w1, contracting_dims = [1] x [0] : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  %a1 = stablehlo.tanh %h1 : tensor<1024x64xf32>
  %h2 = stablehlo.dot_general %a1, %w2, contracting_dims = [1] x [0] : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  %a2 = stablehlo.tanh %h2 : tensor<1024x64xf32>
  %h3 = stablehlo.dot_general %a2, %w3, contracting_dims = [1] x [0] : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  %a3 = stablehlo.tanh %h3 : tensor<1024x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%a3 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x64xf32>, tensor<f32>) -> tensor<f32>
  %g0, %g1, %g2, %g3 = "nn.gradient"(%loss, %w0, %w1, %w2, %w3) : (tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
  return %loss, %g0, %g1, %g2, %g3 : tensor<f32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
