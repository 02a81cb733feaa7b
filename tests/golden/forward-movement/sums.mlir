// RUN: echo-opt %s --forward-movement | FileCheck %s
// RUN: echo-opt %s --forward-movement --forward-movement | FileCheck %s
// RUN: echo-opt %s --forward-movement --verify-roundtrip -o /dev/null

// What gradients of slices add up to is taken apart again: each part is itself, + 0.0, which only -0.0 notices.
// CHECK-LABEL: func.func @gradient_of_stack(
// CHECK-NOT:     pad
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<1x4xf32>
// CHECK-DAG:     %[[A:.*]] = stablehlo.tanh %arg0
// CHECK-DAG:     %[[B:.*]] = stablehlo.tanh %[[A]]
// CHECK-DAG:     %[[A0:.*]] = stablehlo.add %[[A]], %[[ZERO]]
// CHECK-DAG:     %[[B0:.*]] = stablehlo.add %[[B]], %{{.*}}
// CHECK:         %[[P:.*]] = stablehlo.multiply %[[A0]], %[[B0]]
// CHECK-NEXT:    return %[[P]]
func.func @gradient_of_stack(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.tanh %x : tensor<1x4xf32>
  %pa = stablehlo.pad %a, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %b = stablehlo.tanh %a : tensor<1x4xf32>
  %pb = stablehlo.pad %b, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %all = stablehlo.add %pa, %pb : tensor<2x4xf32>
  %sa = stablehlo.slice %all [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %sb = stablehlo.slice %all [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %p = stablehlo.multiply %sa, %sb : tensor<1x4xf32>
  return %p : tensor<1x4xf32>
}

// A sum of pads that its reader moves on is a concatenation, with zeros in the gaps. Integers need no + 0.
// CHECK-LABEL: func.func @concatenation(
// CHECK-NOT:     pad
// CHECK:         %[[GAP:.*]] = stablehlo.constant dense<0> : tensor<1x4xi32>
// CHECK-NEXT:    %[[ALL:.*]] = stablehlo.concatenate %arg1, %[[GAP]], %arg0, dim = 0 : (tensor<2x4xi32>, tensor<1x4xi32>, tensor<3x4xi32>) -> tensor<6x4xi32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[ALL]], dims = [1, 0]
// CHECK-NEXT:    return %[[T]]
func.func @concatenation(%x: tensor<3x4xi32>, %y: tensor<2x4xi32>) -> tensor<4x6xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %px = stablehlo.pad %x, %zero, low = [3, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<6x4xi32>
  %py = stablehlo.pad %y, %zero, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<2x4xi32>, tensor<i32>) -> tensor<6x4xi32>
  %all = stablehlo.add %px, %py : tensor<6x4xi32>
  %t = stablehlo.transpose %all, dims = [1, 0] : (tensor<6x4xi32>) -> tensor<4x6xi32>
  return %t : tensor<4x6xi32>
}

// Pads that overlap are added up; so are those with another number, -0.0 among them.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: stablehlo.pad
// CHECK:         stablehlo.add
// CHECK-COUNT-2: stablehlo.pad
// CHECK:         stablehlo.add
// CHECK-NEXT:    return
func.func @others(%x: tensor<4xf32>) -> (tensor<6xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minus = stablehlo.constant dense<-0.0> : tensor<f32>
  %a = stablehlo.pad %x, %zero, low = [0], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %b = stablehlo.pad %x, %zero, low = [2], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %0 = stablehlo.add %a, %b : tensor<6xf32>
  %c = stablehlo.pad %x, %minus, low = [0], high = [4], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %d = stablehlo.pad %x, %minus, low = [4], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.add %c, %d : tensor<8xf32>
  return %0, %1 : tensor<6xf32>, tensor<8xf32>
}

// Read as a whole by a contraction, a sum that grows in place takes less than its parts beside their concatenation.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT:     concatenate
// CHECK:         return
func.func @in_place(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<6x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.tanh %x : tensor<2x4xf32>
  %pa = stablehlo.pad %a, %zero, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %pb = stablehlo.pad %b, %zero, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  %ab = stablehlo.add %pa, %pb : tensor<6x4xf32>
  %c = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %pd = stablehlo.pad %d, %zero, low = [4, 0], high = [0, 0], interior = [0, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  %all = stablehlo.add %ab, %pd : tensor<6x4xf32>
  %y = stablehlo.dot_general %all, %w, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
