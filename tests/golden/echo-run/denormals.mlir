// Denormals count as zeros in arithmetic, and results that are denormals become zeros, as JAX on a CPU has it (its values, jax 0.10.2); what only moves bits leaves them. The same on every device, folded or not; --denormals=keep has them as IEEE 754 does.
// RUN: split-file %s %t
// RUN: echo-run --check --no-cache --quiet %t/flush.mlir
// RUN: echo-run --check --no-cache --quiet --denormals=flush --threads=1 %t/flush.mlir
// RUN: echo-run --check --quiet --device=interpreter %t/flush.mlir
// RUN: echo-run --check --no-cache --quiet --denormals=keep %t/keep.mlir
// RUN: echo-run --check --quiet --denormals=keep --device=interpreter %t/keep.mlir
// RUN: not echo-run --check --no-cache --quiet %t/keep.mlir 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: echo-opt --canonicalize %t/fold.mlir | FileCheck %s --check-prefix=FOLD
// RUN: echo-opt --canonicalize --denormals=keep %t/fold.mlir | FileCheck %s --check-prefix=KEPT
// RUN: echo-translate --emit=ptx --target=sm_80 %t/kernel.mlir | FileCheck %s --check-prefix=PTX
// RUN: echo-translate --emit=ptx --target=sm_80 --denormals=keep %t/kernel.mlir | FileCheck %s --check-prefix=PTX-KEEP
// RUN: not echo-run --check --denormals=zero %t/flush.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// DIFFERS: error: element 0 is 0, expected 9.9999461011147596e-41
// FOLD: stablehlo.constant dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>
// FOLD-NOT: echo.denormals
// KEPT: module attributes {echo.denormals = "keep"}
// KEPT: stablehlo.constant dense<[5.87747175E-39, -5.87747175E-39]> : tensor<2xf32>
// PTX-DAG: mul.rn.ftz.f32
// PTX-DAG: mul.rn.f64
// PTX-DAG: neg.f32
// PTX-DAG: {{(mul.rn.f16|mul.f16)}}
// PTX-KEEP-NOT: ftz
// UNKNOWN: error: --denormals: 'zero' is none of flush, keep

//--- flush.mlir
func.func @arithmetic() {
  %d = stablehlo.constant dense<[1.0e-39, -1.0e-39]> : tensor<2xf32>
  %n = stablehlo.constant dense<1.17549435E-38> : tensor<2xf32>
  %big = stablehlo.constant dense<1.0e20> : tensor<2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<2xf32>
  %x, %m = stablehlo.optimization_barrier %d, %n : tensor<2xf32>, tensor<2xf32>
  %0 = stablehlo.multiply %x, %big : tensor<2xf32>
  check.expect_eq_const %0, dense<[0.0, -0.0]> : tensor<2xf32>
  %1 = stablehlo.multiply %m, %half : tensor<2xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<2xf32>
  %2 = stablehlo.compare GT, %x, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[false, false]> : tensor<2xi1>
  %3 = stablehlo.maximum %x, %z : tensor<2xf32>
  check.expect_eq_const %3, dense<[0.0, 0.0]> : tensor<2xf32>
  %4 = stablehlo.sqrt %x : tensor<2xf32>
  check.expect_eq_const %4, dense<[0.0, -0.0]> : tensor<2xf32>
  %5 = stablehlo.sign %x : tensor<2xf32>
  check.expect_eq_const %5, dense<[0.0, -0.0]> : tensor<2xf32>
  %6 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf64>
  check.expect_eq_const %6, dense<[0.0, -0.0]> : tensor<2xf64>
  %7 = stablehlo.ceil %x : tensor<2xf32>
  check.expect_eq_const %7, dense<[0.0, -0.0]> : tensor<2xf32>
  func.return
}
func.func @doubles() {
  %d = stablehlo.constant dense<[1.0e-310, -1.0e-310]> : tensor<2xf64>
  %big = stablehlo.constant dense<1.0e200> : tensor<2xf64>
  %x = stablehlo.optimization_barrier %d : tensor<2xf64>
  %0 = stablehlo.multiply %x, %big : tensor<2xf64>
  check.expect_eq_const %0, dense<[0.0, -0.0]> : tensor<2xf64>
  func.return
}
func.func @bits() {
  %d = stablehlo.constant dense<[1.0e-39, -1.0e-39]> : tensor<2xf32>
  %x = stablehlo.optimization_barrier %d : tensor<2xf32>
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[-2146770024, 713624]> : tensor<2xi32>
  %2 = stablehlo.abs %x : tensor<2xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %3, dense<[713624, 713624]> : tensor<2xi32>
  %4 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
  %5 = stablehlo.bitcast_convert %4 : (tensor<2xbf16>) -> tensor<2xi16>
  check.expect_eq_const %5, dense<[11, -32757]> : tensor<2xi16>
  func.return
}
func.func @halves() {
  %h = stablehlo.constant dense<[6.0e-8, -6.0e-6]> : tensor<2xf16>
  %two = stablehlo.constant dense<2.0> : tensor<2xf16>
  %x = stablehlo.optimization_barrier %h : tensor<2xf16>
  %0 = stablehlo.multiply %x, %two : tensor<2xf16>
  check.expect_eq_const %0, dense<[1.2e-7, -1.204e-5]> : tensor<2xf16>
  %b = stablehlo.constant dense<[1.0e-39, 2.0e-38]> : tensor<2xbf16>
  %q = stablehlo.constant dense<0.25> : tensor<2xbf16>
  %y = stablehlo.optimization_barrier %b : tensor<2xbf16>
  %1 = stablehlo.multiply %y, %q : tensor<2xbf16>
  check.expect_eq_const %1, dense<0.0> : tensor<2xbf16>
  func.return
}

//--- keep.mlir
func.func @arithmetic() {
  %d = stablehlo.constant dense<[2.0e-40, -2.0e-40]> : tensor<2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %x = stablehlo.optimization_barrier %d : tensor<2xf32>
  %0 = stablehlo.multiply %x, %half : tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0e-40, -1.0e-40]> : tensor<2xf32>
  func.return
}

//--- fold.mlir
func.func @main() -> tensor<2xf32> {
  %n = stablehlo.constant dense<[1.17549435E-38, -1.17549435E-38]> : tensor<2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %0 = stablehlo.multiply %n, %half : tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- kernel.mlir
func.func @main(%a: tensor<64xf32>, %h: tensor<64xf16>, %d: tensor<64xf64>) -> (tensor<64xf32>, tensor<64xf16>, tensor<64xf64>) {
  %0 = stablehlo.multiply %a, %a : tensor<64xf32>
  %1 = stablehlo.negate %0 : tensor<64xf32>
  %2 = stablehlo.multiply %h, %h : tensor<64xf16>
  %3 = stablehlo.multiply %d, %d : tensor<64xf64>
  return %1, %2, %3 : tensor<64xf32>, tensor<64xf16>, tensor<64xf64>
}
