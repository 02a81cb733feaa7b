// Each function that --check runs opens the device anew; the emulated driver gave no stream's number out twice and had none left for the sixth.
// RUN: echo-run --check --device=cuda %s | FileCheck %s
// CHECK: 6 passed, 0 failed, 0 refused
func.func public @f1() {
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<2.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
func.func public @f2() {
  %x = stablehlo.constant dense<2.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<4.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
func.func public @f3() {
  %x = stablehlo.constant dense<3.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<6.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
func.func public @f4() {
  %x = stablehlo.constant dense<4.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<8.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
func.func public @f5() {
  %x = stablehlo.constant dense<5.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<10.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
func.func public @f6() {
  %x = stablehlo.constant dense<6.0> : tensor<4xf32>
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.constant dense<12.0> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%y, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
