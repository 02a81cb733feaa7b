// AddressSanitizer has the same search and the same copies in budget.mlir and run.mlir.
// UNSUPPORTED: asan
// Adam's moments wait in host memory from one step to the next, and so do weights, which are read on the way forth and back too:
// less of the device's memory, and the same bits, step after step.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --outputs=%t/kept.npz --steps=4 --quiet --no-cache --json=%t/kept.json
// RUN: echo-opt %s --to=planned --echo=budget=330KiB,swap=on -o %t/planned.mlir
// RUN: echo-opt %t/planned.mlir --verify-plan | FileCheck %s
// RUN: echo-run %t/planned.mlir --expect=%t/kept.npz --rtol=0 --atol=0 --steps=4 --no-cache --json=%t/swapped.json | FileCheck %s --check-prefix=RUN-CHECKS
// RUN: echo-run %s --echo=budget=330KiB,swap=on --device-model=gpu-a100-40g --threads=3 --expect=%t/kept.npz --rtol=0 --atol=0 --steps=4 --no-cache --quiet
// RUN: cat %t/kept.json %t/swapped.json | FileCheck %s --check-prefix=JSON
// RUN: not echo-opt %s --to=planned --echo=budget=330KiB 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK: plan.host_bytes
// CHECK: plan.in_host
// CHECK: "plan.swap_in"(%[[#]], %arg[[ARG:[0-9]+]]) : (memref<128x128xf32>, memref<128x128xf32>) -> !plan.event
// CHECK: "plan.swap_out"(%{{.*}}, %arg{{[0-9]+}}) : (memref<128x128xf32>, memref<128x128xf32>) -> !plan.event
// RUN-CHECKS: memory: planned peak [[PEAK:[0-9.]+ [kM]B]]
// RUN-CHECKS-SAME: measured [[PEAK]]; in the host's memory
// RUN-CHECKS: res0: same
// JSON: "planned_peak_bytes": [[#KEPT:]]
// JSON: "planned_peak_bytes": [[#PEAK:]]
// JSON: "measured_peak_bytes": [[#PEAK]]
// JSON: "planned_host_bytes": [[#HOST:]]
// JSON: "measured_host_bytes": [[#HOST]]
// ALONE: error: 'func.func' op cannot be brought below the budget: the smallest possible one is [[#]] bytes
func.func @main(%x: tensor<8x128xf32>,
                %w: tensor<128x128xf32> {tf.aliasing_output = 1 : i32}, %m: tensor<128x128xf32> {tf.aliasing_output = 2 : i32},
                %v: tensor<128x128xf32> {tf.aliasing_output = 3 : i32},
                %w2: tensor<128x128xf32> {tf.aliasing_output = 4 : i32}, %m2: tensor<128x128xf32> {tf.aliasing_output = 5 : i32},
                %v2: tensor<128x128xf32> {tf.aliasing_output = 6 : i32})
    -> (tensor<f32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
        tensor<128x128xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>
  %a = stablehlo.tanh %h : tensor<8x128xf32>
  %h2 = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>
  %a2 = stablehlo.tanh %h2 : tensor<8x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%a2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128xf32>, tensor<f32>) -> tensor<f32>
  %g, %g2 = "nn.gradient"(%loss, %w, %w2) : (tensor<f32>, tensor<128x128xf32>, tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>)
  %wn, %mn, %vn = func.call @adam(%w, %m, %v, %g) : (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>)
  %wn2, %mn2, %vn2 = func.call @adam(%w2, %m2, %v2, %g2) : (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>)
  return %loss, %wn, %mn, %vn, %wn2, %mn2, %vn2 : tensor<f32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}

func.func private @adam(%w: tensor<128x128xf32>, %m: tensor<128x128xf32>, %v: tensor<128x128xf32>, %g: tensor<128x128xf32>)
    -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) {
  %b1 = stablehlo.constant dense<0.9> : tensor<128x128xf32>
  %c1 = stablehlo.constant dense<0.1> : tensor<128x128xf32>
  %b2 = stablehlo.constant dense<0.999> : tensor<128x128xf32>
  %c2 = stablehlo.constant dense<0.001> : tensor<128x128xf32>
  %rate = stablehlo.constant dense<0.01> : tensor<128x128xf32>
  %epsilon = stablehlo.constant dense<1.0e-8> : tensor<128x128xf32>
  %0 = stablehlo.multiply %b1, %m : tensor<128x128xf32>
  %1 = stablehlo.multiply %c1, %g : tensor<128x128xf32>
  %mn = stablehlo.add %0, %1 : tensor<128x128xf32>
  %2 = stablehlo.multiply %g, %g : tensor<128x128xf32>
  %3 = stablehlo.multiply %b2, %v : tensor<128x128xf32>
  %4 = stablehlo.multiply %c2, %2 : tensor<128x128xf32>
  %vn = stablehlo.add %3, %4 : tensor<128x128xf32>
  %5 = stablehlo.sqrt %vn : tensor<128x128xf32>
  %6 = stablehlo.add %5, %epsilon : tensor<128x128xf32>
  %7 = stablehlo.divide %mn, %6 : tensor<128x128xf32>
  %8 = stablehlo.multiply %rate, %7 : tensor<128x128xf32>
  %wn = stablehlo.subtract %w, %8 : tensor<128x128xf32>
  return %wn, %mn, %vn : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}
