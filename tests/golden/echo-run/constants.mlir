// Constants whose numbers are sparse, or stand in the file's resources, or are another dialect's.
// RUN: rm -rf %t && split-file %s %t
// RUN: echo-run %t/all.mlir --check --no-cache --quiet
// RUN: echo-run %t/all.mlir --check --device=interpreter --quiet
// RUN: echo-opt %t/all.mlir --canonicalize --chlo-to-stablehlo | FileCheck %s
// RUN: not echo-run %t/none.mlir --quiet 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-NOT: sparse<
// CHECK-NOT: dense_resource
// NONE: none.mlir:3:8: error: 'stablehlo.constant' op has no numbers: the file has no resource '__elided__'

//--- all.mlir
func.func @main() {
  %0 = stablehlo.constant sparse<[[0, 1], [1, 0]], [2.0, 3.0]> : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[0.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant sparse<1, 4> : tensor<3xi32>
  check.expect_eq_const %1, dense<[0, 4, 0]> : tensor<3xi32>
  %2 = stablehlo.constant dense_resource<blob> : tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 1.0]> : tensor<2xf32>
  %3 = arith.constant dense_resource<blob> : tensor<2xf32>
  %4 = stablehlo.add %2, %3 : tensor<2xf32>
  check.expect_eq_const %4, dense<[4.0, 2.0]> : tensor<2xf32>
  func.return
}
{-# dialect_resources: { builtin: { blob: "0x04000000000000400000803F" } } #-}

//--- none.mlir
// a line
func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
