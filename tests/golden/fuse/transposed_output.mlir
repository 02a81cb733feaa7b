// A transposed value that is written in any case, and that a sum reads: beyond a core's first cache it has a kernel of its own, which goes tile by
// tile; below, the sum's kernel writes it. One that only the sum reads is never written. The same of what a map makes of a transposed value.
// RUN: echo-opt %s --to=kernels -o - | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --rtol=1e-5 --atol=1e-4 --quiet
// CHECK:     (tensor<128x96xf32>) -> tensor<96x128xf32>, kind = "transpose"
// CHECK:     (tensor<96x128xf32>) -> tensor<96xf32>, kind = "row_reduce"
// CHECK:     (tensor<32x24xf32>) -> (tensor<24x32xf32>, tensor<24xf32>), kind = "row_reduce"
// CHECK:     (tensor<32x48x48xf32>) -> tensor<48xf32>, kind = "{{[a-z_]*}}reduce"
// CHECK:     (tensor<96x128xf32>) -> tensor<128x96xf32>, kind = "transpose"
// CHECK:     (tensor<128x96xf32>) -> tensor<f32>, kind = "row_reduce"
// CHECK-NOT: kernel.func
func.func @main(%x: tensor<128x96xf32>, %y: tensor<32x24xf32>, %z: tensor<32x48x48xf32>, %w: tensor<96x128xf32>) -> (tensor<96x128xf32>, tensor<96xf32>, tensor<24x32xf32>, tensor<24xf32>, tensor<48xf32>, tensor<128x96xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<128x96xf32>) -> tensor<96x128xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<96x128xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<96x128xf32>, tensor<f32>) -> tensor<96xf32>
  %3 = stablehlo.transpose %y, dims = [1, 0] : (tensor<32x24xf32>) -> tensor<24x32xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<24x32xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<24x32xf32>, tensor<f32>) -> tensor<24xf32>
  %6 = stablehlo.transpose %z, dims = [2, 0, 1] : (tensor<32x48x48xf32>) -> tensor<48x32x48xf32>
  %7 = stablehlo.exponential %6 : tensor<48x32x48xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<48x32x48xf32>, tensor<f32>) -> tensor<48xf32>
  %9 = stablehlo.transpose %w, dims = [1, 0] : (tensor<96x128xf32>) -> tensor<128x96xf32>
  %10 = stablehlo.tanh %9 : tensor<128x96xf32>
  %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x96xf32>, tensor<f32>) -> tensor<f32>
  return %0, %2, %3, %5, %8, %10, %11 : tensor<96x128xf32>, tensor<96xf32>, tensor<24x32xf32>, tensor<24xf32>, tensor<48xf32>, tensor<128x96xf32>, tensor<f32>
}
