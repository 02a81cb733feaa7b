// RUN: echo-opt %s --to=loops | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --expect=%t.npz --quiet

// Patches of an image, of three features that lie side by side: a block of the sum is all of them in some rows of the window, so
// that the panel holds 8 x 16 x 3 rows of them.
// CHECK-LABEL: func.func @convolution_0(
// CHECK:         "memref.alloca"() {{.*}} -> memref<384x32xf32>
// CHECK:         "scf.for"(%{{.*}}) ({
func.func @main(%x: tensor<2x48x32x3xf32>, %k: tensor<16x16x3x20xf32>) -> tensor<2x3x2x20xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16, 16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x48x32x3xf32>, tensor<16x16x3x20xf32>) -> tensor<2x3x2x20xf32>
  return %0 : tensor<2x3x2x20xf32>
}
