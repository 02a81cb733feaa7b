// Dimensions of size 1 that come or go do not part kernels: what stands behind a reshape of that kind is computed, reduced and written beside what stands in front.
// RUN: echo-opt %s --to=kernels | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --quiet --expect=%t/want.npz

// CHECK:     "kernel.func"
// CHECK-NOT: "kernel.func"
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x1x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.tanh %x : tensor<8x64xf32>
  %r = stablehlo.reshape %t : (tensor<8x64xf32>) -> tensor<1x8x64xf32>
  %e = stablehlo.exponential %r : tensor<1x8x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x8x64xf32>, tensor<f32>) -> tensor<1x8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x64xf32>
  %d = stablehlo.divide %e, %b : tensor<1x8x64xf32>
  %v = stablehlo.reshape %d : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
  %q = stablehlo.negate %v : tensor<8x1x64xf32>
  return %t, %q : tensor<8x64xf32>, tensor<8x1x64xf32>
}
