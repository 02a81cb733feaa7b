// What is called runs, whatever says that it is not to be inlined; what cannot is refused at the call.
// RUN: split-file %s %t
// RUN: echo-run --check --no-cache %t/kept.mlir | FileCheck %s
// RUN: not echo-run --no-cache %t/declared.mlir 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not echo-run --no-cache %t/itself.mlir 2>&1 | FileCheck %s --check-prefix=ITSELF
// CHECK: kept.mlir: 1 passed, 0 failed, 0 refused
// DECLARED: declared.mlir:3:8: error: 'func.call' op calls '@f', which has no body
// ITSELF: itself.mlir:2:8: error: 'func.call' op must be inlined before fusion; what calls itself cannot be

//--- kept.mlir
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {no_inline} {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

//--- declared.mlir
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- itself.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
