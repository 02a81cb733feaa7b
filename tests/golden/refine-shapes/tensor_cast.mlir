// RUN: echo-opt %s | FileCheck %s --check-prefix=SAME
// RUN: echo-opt %s --refine-shapes | FileCheck %s
// RUN: echo-run %s --no-cache --check --quiet
// RUN: echo-run %s --device=interpreter --check --quiet

// What a cast forgets of a shape is known where the operand's is.
// SAME: tensor.cast %{{.*}} : tensor<2x2xf32> to tensor<?x2xf32>
// SAME: tensor.cast %{{.*}} : tensor<?x2xf32> to tensor<*xf32>
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     tensor.cast
// CHECK:         stablehlo.constant dense<{{\[\[}}2.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = tensor.cast %x : tensor<2x2xf32> to tensor<?x2xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x2xf32>
  %2 = tensor.cast %1 : tensor<?x2xf32> to tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf32>
  func.return
}
func.func private @unranked(%arg0: tensor<?x2xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %arg0 : tensor<?x2xf32> to tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
