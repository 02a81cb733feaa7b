// Swapped values come back as they went: the same results to the bit, from less memory on the device.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-opt %s --to=kernels -o %t/kernels.mlir
// RUN: echo-opt %t/kernels.mlir --pass-pipeline="builtin.module(bufferize,plan-memory,set-stage{stage=planned})" -o %t/kept.mlir
// RUN: echo-opt %t/kernels.mlir --pass-pipeline="builtin.module(bufferize,swap{limit=1200K},plan-memory,verify-plan,set-stage{stage=planned})" -o %t/swapped.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t/swapped.mlir
// RUN: echo-run %t/kept.mlir --outputs=%t/kept.npz --steps=3 --quiet --no-cache
// RUN: echo-run %t/swapped.mlir --expect=%t/kept.npz --rtol=0 --atol=0 --steps=3 --no-cache --json=%t/figures.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t/figures.json
// RUN: echo-opt %t/swapped.mlir --to=loops | FileCheck %s --check-prefix=PLAN

// JSON: "planned_host_bytes": [[#HOST:]]
// JSON: "measured_host_bytes": [[#HOST]]
// PLAN-COUNT-2: plan.swap_in
// CHECK: memory: planned peak [[PEAK:[0-9.]+ [kM]B]]
// CHECK-SAME: measured [[PEAK]]; in the host's memory 524 kB
// CHECK: res0: same
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
