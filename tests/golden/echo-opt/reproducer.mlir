// A pass that fails leaves a file that replays it.
// RUN: not echo-opt %s --cse --differentiate --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefixes=CHECK,FAILED
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not echo-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s
// RUN: not echo-opt %s --run-reproducer 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: 'stablehlo.{{.*}}' op has no gradient
// FAILED: error: Failures have been detected while processing an MLIR pass pipeline
// FAILED-NEXT: note: Pipeline failed while executing [`Differentiate` on 'builtin.module' operation]: reproducer generated at `{{.*}}`
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(cse,differentiate)",
// NONE: error: {{.*}} the input carries no reproducer
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>}> : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %r = stablehlo.real %s : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%l, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
