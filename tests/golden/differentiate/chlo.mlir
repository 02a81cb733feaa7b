// RUN: echo-opt %s --to=tensor | FileCheck %s --check-prefix=TENSOR
// RUN: echo-opt %s --to=step | FileCheck %s
// RUN: echo-opt %s --to=planned | FileCheck %s --check-prefix=PLANNED

// erf asks its operand for its derivative: nothing of its lowered formula is kept for the backward
// part. 131072 bytes are the product and what goes back through it, half of which stand where the
// gradient is written later.
// TENSOR:       chlo.erf
// CHECK:        func.func @main
// CHECK-NOT:    chlo.
// CHECK:        stablehlo.exponential %{{.*}} {echo.phase = "backward"}
// CHECK-NOT:    chlo.
// PLANNED:      plan.temp_bytes = 65536
func.func @main(%a: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> (tensor<f32>, tensor<256x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %y = chlo.erf %h : tensor<64x256xf32> -> tensor<64x256xf32>
  %square = stablehlo.multiply %y, %y : tensor<64x256xf32>
  %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %loss, %g : tensor<f32>, tensor<256x256xf32>
}
