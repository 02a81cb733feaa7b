// RUN: echo-opt %s --to=planned --device-model=gpu-a100-40g --order=given | FileCheck %s
// RUN: echo-opt %s --to=planned --device-model=gpu-a100-40g --echo=overhead=0%%,order=given | FileCheck %s --check-prefix=ECHO
// A branch ends in a sum that is written over a product of its own, and that reads %a for the last time. The room of the result cannot be both %a's and the product's: it was counted once.
// CHECK: plan.temp_bytes = 32768
// ECHO: echo.off_bytes = 32768
// ECHO-SAME: plan.temp_bytes = 32768
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %which: tensor<i32>) -> tensor<64x64xf32> {
  %h = stablehlo.exponential %x : tensor<64x64xf32>
  %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = stablehlo.tanh %p : tensor<64x64xf32>
  %r = "stablehlo.case"(%which) ({
    %d = stablehlo.dot_general %h, %w, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.add %a, %d : tensor<64x64xf32>
    stablehlo.return %s : tensor<64x64xf32>
  }, {
    %d = stablehlo.dot_general %h, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.subtract %a, %d : tensor<64x64xf32>
    stablehlo.return %s : tensor<64x64xf32>
  }) : (tensor<i32>) -> tensor<64x64xf32>
  %q = stablehlo.dot_general %r, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.exponential %q : tensor<64x64xf32>
  return %e : tensor<64x64xf32>
}
