// RUN: echo-opt %s --split-reductions | FileCheck %s
// RUN: echo-opt %s --split-reductions --split-reductions | FileCheck %s
// RUN: echo-opt %s --split-reductions --verify-roundtrip -o /dev/null
// RUN: echo-opt %s --to=step --target=sm_80 | FileCheck %s --check-prefix=STEP
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=CPU

// A full sum: as many parts as fill a chip, each from the neutral element, then those from the initial value.
// CHECK-LABEL: func.func @full
// STEP-LABEL:  func.func @full
// STEP:        stablehlo.reshape %{{.*}} : (tensor<1024x1024xf32>) -> tensor<512x2x1024xf32>
// CPU-LABEL:   func.func @full
// CPU-NOT:     stablehlo.reshape
func.func @full(%x: tensor<1024x1024xf32>) -> tensor<f32> {
  // CHECK:      %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: %[[CUT:.*]] = stablehlo.reshape %{{.*}} : (tensor<1024x1024xf32>) -> tensor<512x2x1024xf32>
  // CHECK-NEXT: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reduce(%[[CUT]] init: %[[NEUTRAL]]) applies stablehlo.add across dimensions = [1, 2]
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.reduce(%[[PARTS]] init: %[[ONE]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Columns: 24 blocks of 32, so that 32 parts fill the chip; the divisor from 21 on.
// CHECK-LABEL: func.func @columns
func.func @columns(%x: tensor<8192x768xf32>) -> tensor<768xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: -> tensor<32x256x768xf32>
  // CHECK: applies stablehlo.maximum across dimensions = [1] {{.*}} -> tensor<32x768xf32>
  // CHECK: applies stablehlo.maximum across dimensions = [0] {{.*}} -> tensor<768xf32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8192x768xf32>, tensor<f32>) -> tensor<768xf32>
  return %0 : tensor<768xf32>
}

// Rows enough, too few elements, a prime number of them, a body that is no single op: as they are.
// CHECK-LABEL: func.func @whole
func.func @whole(%rows: tensor<512x4096xf32>, %few: tensor<63x32xf32>, %prime: tensor<8191xf32>) -> (tensor<512xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK-NOT: stablehlo.reshape
  %0 = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x4096xf32>, tensor<f32>) -> tensor<512xf32>
  %1 = stablehlo.reduce(%few init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<63x32xf32>, tensor<f32>) -> tensor<32xf32>
  %2 = stablehlo.reduce(%prime init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8191xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%rows init: %zero) across dimensions = [0, 1] : (tensor<512x4096xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %c = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }
  return %0, %1, %2, %3 : tensor<512xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>
}
