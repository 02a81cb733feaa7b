// Calls that exporters write: PyTorch/XLA's selection of the largest and least, and where XLA says
// that a value goes to the host and comes back.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-opt %s --chlo-to-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @largest
// CHECK: compare GT, %{{.*}}, TOTALORDER
// CHECK-NOT: custom_call
func.func @largest() {
  %x = stablehlo.constant dense<[[1.0, 3.0, 2.0], [5.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[3.0, 2.0], [5.0, 5.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>
  func.return
}

// CHECK-LABEL: func.func @least
// CHECK: compare LT, %{{.*}}, UNSIGNED
func.func @least() {
  %x = stablehlo.constant dense<[200, 3, 3]> : tensor<3xui8>
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<3xui8>) -> (tensor<2xui8>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[3, 3]> : tensor<2xui8>
  check.expect_eq_const %0#1, dense<[1, 2]> : tensor<2xi32>
  func.return
}

// CHECK-LABEL: func.func @moved
// CHECK-NOT: MoveTo
func.func @moved() {
  %x = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @MoveToHost(%x) {backend_config = ""} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @MoveToDevice(%0) {backend_config = ""} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 3.0]> : tensor<2xf32>
  func.return
}
