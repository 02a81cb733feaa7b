// What is put between elements, one element in each stretch, is a dimension of its own that is padded, of rows and of columns, before and behind; two that
// are added are parts put together in the end. What leaves a stretch short stays. Twice is as good as once, and the results are the same.
// RUN: echo-opt %s --split-pads | FileCheck %s
// RUN: echo-opt %s --split-pads -o %t.once.mlir && echo-opt %t.once.mlir --split-pads | diff - %t.once.mlir
// RUN: echo-opt %s --split-pads --verify-roundtrip -o /dev/null
// RUN: echo-opt %s --to=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t.npz
// RUN: echo-run %t.once.mlir --device=interpreter --quiet --expect=%t.npz --rtol=0 --atol=0
// RUN: echo-run %s --no-cache --quiet --expect=%t.npz --rtol=0 --atol=0

// CHECK-LABEL: func.func @main(
// CHECK:         %[[A:.*]] = stablehlo.reshape %arg0 : (tensor<6x5xf32>) -> tensor<6x5x1xf32>
// CHECK-NEXT:    %[[AP:.*]] = stablehlo.pad %[[A]], %{{.*}}, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0]
// CHECK-NEXT:    stablehlo.reshape %[[AP]] : (tensor<6x5x2xf32>) -> tensor<6x10xf32>
// CHECK:         stablehlo.pad {{.*}}, low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 0]
// Rows by three, and columns by two with one to spare in front.
// CHECK:         %[[B:.*]] = stablehlo.reshape %arg0 : (tensor<6x5xf32>) -> tensor<6x1x5xf32>
// CHECK-NEXT:    %[[BP:.*]] = stablehlo.pad %[[B]], %{{.*}}, low = [0, 1, 1], high = [0, 1, 1], interior = [0, 0, 1] : (tensor<6x1x5xf32>, tensor<f32>) -> tensor<6x3x11xf32>
// CHECK-NEXT:    stablehlo.reshape %[[BP]] : (tensor<6x3x11xf32>) -> tensor<18x11xf32>
// CHECK:         stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x9xf32>
// KERNELS:       stablehlo.concatenate {{.*}} -> tensor<6x5x2xf32>
func.func @main(%x: tensor<6x5xf32>, %y: tensor<6x5xf32>) -> (tensor<6x10xf32>, tensor<18x11xf32>, tensor<6x9xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %even = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x10xf32>
  %odd = stablehlo.pad %y, %zero, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x10xf32>
  %all = stablehlo.add %even, %odd : tensor<6x10xf32>
  %rows = stablehlo.pad %x, %two, low = [1, 1], high = [1, 1], interior = [2, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<18x11xf32>
  %short = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x9xf32>
  return %all, %rows, %short : tensor<6x10xf32>, tensor<18x11xf32>, tensor<6x9xf32>
}
