// --check: all functions of all sections, what they expect by StableHLO's tolerances, exit status 1 where one does not hold; --entry: another function than main.
// RUN: split-file %s %t
// RUN: echo-run --check --no-cache %t/holds.mlir | FileCheck %s --check-prefix=HOLDS
// RUN: echo-run --check --device=interpreter --quiet %t/holds.mlir
// RUN: echo-opt %t/holds.mlir --split-input-file -o %t/printed.mlir && echo-opt %t/printed.mlir --split-input-file | diff %t/printed.mlir -
// RUN: not echo-run --check --no-cache --json=%t/out.json %t/fails.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: FileCheck %s --check-prefix=JSON < %t/out.json
// RUN: not echo-run --check --plan-only %t/holds.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: echo-run --no-cache %t/entries.mlir --entry=twice | FileCheck %s --check-prefix=TWICE
// RUN: echo-run --no-cache %t/entries.mlir | FileCheck %s --check-prefix=MAIN
// RUN: not echo-run --no-cache %t/entries.mlir --entry=thrice 2>&1 | FileCheck %s --check-prefix=THRICE
// HOLDS: holds.mlir: 5 passed, 0 failed, 0 refused
// FAILS-DAG: fails.mlir:3:3: error: element 1 is 2, expected 3
// FAILS-DAG: fails.mlir:1: @equal: failed
// FAILS-DAG: fails.mlir:12:3: error: element 0 is 1.000999{{.*}}, expected 1
// FAILS-DAG: fails.mlir:8: @close: failed
// FAILS-DAG: fails.mlir:20:3: error: {{.*}}is no comparison of two values of one type
// FAILS-DAG: fails.mlir:17: @types: refused
// FAILS-DAG: fails.mlir: 0 passed, 2 failed, 1 refused
// JSON: "function": "equal",
// JSON: "section_line": 1,
// JSON: "checks": 1,
// JSON: "outcome": "failed"
// OPTION: error: --check runs functions that take nothing: no --inputs, --outputs, --expect, --plan-only
// TWICE: res0 = [6]
// MAIN: res0 = [8]
// THRICE: error: {{.*}}has no function 'thrice' to run

//--- holds.mlir
func.func @constants() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  check.expect_almost_eq_const %1, dense<[1.00005, 0x7FC00000]> : tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[1.05, 0x7FC00000]> : tensor<2xf32>, tolerance = 0.1
  func.return
}
func.func @pairs() {
  %0 = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf64>
  %1 = stablehlo.constant dense<[0x3FF0000000000002, 0.0]> : tensor<2xf64>
  check.expect_almost_eq %0, %1 : tensor<2xf64>
  check.expect_close %0, %1, max_ulp_difference = 2 : tensor<2xf64>, tensor<2xf64>
  check.expect_eq %0, %0 : tensor<2xf64>
  func.return
}
// From an infinity to anything else it is 2^64 - 1 units, from one NaN to another 0.
func.func @distances() {
  %0 = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[0xFF800000, 1.0, 2.0]> : tensor<3xf32>
  check.expect_close %0, %1, max_ulp_difference = 18446744073709551615, min_ulp_difference = 18446744073709551615 : tensor<3xf32>, tensor<3xf32>
  check.expect_close %0, %0, max_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  func.return
}

// -----

func.func private @one() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main() -> tensor<f32> {
  %0 = func.call @one() : () -> tensor<f32>
  stablehlo.custom_call @check.expect_close(%0, %0) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  stablehlo.custom_call @check.expect_eq(%0, %0) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return %0 : tensor<f32>
}

// -----

func.func @nothing() {
  func.return
}

//--- fails.mlir
func.func @equal() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi8>
  func.return
}

// -----

func.func @close() {
  %0 = stablehlo.constant dense<1.001> : tensor<f64>
  %1 = stablehlo.constant dense<1.0> : tensor<f64>
  check.expect_close %0, %1, max_ulp_difference = 3 : tensor<f64>, tensor<f64>
  func.return
}

// -----

func.func @types() {
  %0 = stablehlo.constant dense<1.0> : tensor<f64>
  stablehlo.custom_call @check.expect_eq(%0) : (tensor<f64>) -> ()
  func.return
}

//--- entries.mlir
func.func @twice() -> tensor<i32> {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.add %0, %0 : tensor<i32>
  return %1 : tensor<i32>
}
func.func @main() -> tensor<i32> {
  %0 = call @twice() : () -> tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.add %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}
