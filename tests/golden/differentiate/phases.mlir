// RUN: echo-opt %s --differentiate --dce | FileCheck %s
// RUN: echo-opt %s --differentiate --verify-roundtrip -o /dev/null

// tanh keeps its output, the contraction its input; what reads a gradient is the update.
// CHECK-LABEL: func.func @step
// CHECK-DAG:     %[[Y:.*]] = stablehlo.tanh %{{.*}} {echo.phase = "forward"}
// CHECK:         %[[LOSS:.*]] = stablehlo.reduce(%[[Y]] init: %{{.*}}) {{.*}} {echo.phase = "forward"}
// CHECK:         stablehlo.multiply %[[Y]], %[[Y]] {echo.phase = "backward"}
// CHECK:         %[[G:.*]] = stablehlo.dot_general %arg0, %{{.*}}, contracting_dims = [0] x [0] {echo.phase = "backward"}
// CHECK-NOT:     nn.gradient
// CHECK:         %[[S:.*]] = stablehlo.multiply %arg2, %[[G]] {echo.phase = "update"}
// CHECK:         %[[N:.*]] = stablehlo.subtract %arg1, %[[S]] {echo.phase = "update"}
// CHECK-NEXT:    return {echo.phase = "update"} %[[LOSS]], %[[N]]
func.func @step(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %r: tensor<3x2xf32>) -> (tensor<f32>, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.tanh %0 : tensor<4x2xf32>
  %loss = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.multiply %r, %g : tensor<3x2xf32>
  %3 = stablehlo.subtract %w, %2 : tensor<3x2xf32>
  return %loss, %3 : tensor<f32>, tensor<3x2xf32>
}

// Both gradients of a contraction come out without a transpose.
// CHECK-LABEL: func.func @contraction
// CHECK:         stablehlo.dot_general %[[GY:.*]], %arg1, contracting_dims = [1] x [1] {echo.phase = "backward"}
// CHECK-NOT:     stablehlo.transpose
// CHECK:         stablehlo.dot_general %arg0, %[[GY]], contracting_dims = [0] x [0] {echo.phase = "backward"}
// CHECK-NOT:     stablehlo.transpose
// CHECK:         return
func.func @contraction(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %g:2 = "nn.gradient"(%loss, %x, %w) : (tensor<f32>, tensor<4x3xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<3x2xf32>)
  return %g#0, %g#1 : tensor<4x3xf32>, tensor<3x2xf32>
}

// A product of bf16 into f32 is differentiated in f32, and the gradient rounded.
// CHECK-LABEL: func.func @mixed
// CHECK:         %[[W:.*]] = stablehlo.convert %arg1 {echo.phase = "backward"} : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK:         %[[G:.*]] = stablehlo.dot_general %{{.*}}, %[[W]]
// CHECK-NEXT:    stablehlo.convert %[[G]] {echo.phase = "backward"} : (tensor<2xf32>) -> tensor<2xbf16>
func.func @mixed(%x: tensor<2xbf16>, %w: tensor<2xbf16>) -> tensor<2xbf16> {
  %loss = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %x) : (tensor<f32>, tensor<2xbf16>) -> tensor<2xbf16>
  return %g : tensor<2xbf16>
}

// A value that the loss does not depend on: zeros. One that is the loss: one.
// CHECK-LABEL: func.func @independent
// CHECK-DAG:     %[[ONE:.*]] = stablehlo.constant {echo.phase = "backward"} dense<1.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<3xf32>
// CHECK:         return {{.*}}%[[ZERO]], %[[ONE]]
func.func @independent(%x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %g:2 = "nn.gradient"(%y, %x, %y) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)
  return %g#0, %g#1 : tensor<3xf32>, tensor<f32>
}

// No gradient flows through nn.stop_gradient, and none is left: d (x stop(x)) / d x = x.
// CHECK-LABEL: func.func @stop_gradient
// CHECK-NOT:     nn.stop_gradient
// CHECK:         %[[G:.*]] = stablehlo.multiply %{{.*}}, %arg0 {echo.phase = "backward"}
// CHECK-NEXT:    return {{.*}}%[[G]]
func.func @stop_gradient(%x: tensor<f32>) -> tensor<f32> {
  %0 = "nn.stop_gradient"(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.multiply %0, %x : tensor<f32>
  %g = "nn.gradient"(%1, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// Slices of one value: their gradients are put together once, with zeros in the gap.
// CHECK-LABEL: func.func @slices
// CHECK:         %[[GAP:.*]] = stablehlo.constant {echo.phase = "backward"} dense<0.000000e+00> : tensor<1xf32>
// CHECK:         stablehlo.concatenate %{{.*}}, %[[GAP]], %{{.*}}, dim = 0 {echo.phase = "backward"}
// CHECK-NOT:     stablehlo.pad
// CHECK:         return
func.func @slices(%x: tensor<5xf32>) -> tensor<5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %x [0:2] : (tensor<5xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %x [3:5] : (tensor<5xf32>) -> tensor<2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2xf32>
  %loss = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %x) : (tensor<f32>, tensor<5xf32>) -> tensor<5xf32>
  return %g : tensor<5xf32>
}

// What only the update reads is the update too: the moment's decay and the bias correction, though no
// gradient flows into them; and not the loss, which the update scales its rate by.
// CHECK-LABEL: func.func @optimizer_state
// CHECK:         %[[L:.*]] = stablehlo.multiply %arg0, %arg0 {echo.phase = "forward"}
// CHECK:         stablehlo.add %arg2, %{{.*}} {echo.phase = "update"}
// CHECK:         stablehlo.multiply %arg1, %{{.*}} {echo.phase = "update"}
// CHECK:         %[[METRIC:.*]] = stablehlo.abs %arg0 {echo.phase = "forward"}
// CHECK:         return {{.*}}%[[L]], %{{.*}}, %[[METRIC]]
func.func @optimizer_state(%x: tensor<f32>, %m: tensor<f32>, %step: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %decay = stablehlo.constant dense<0.9> : tensor<f32>
  %loss = stablehlo.multiply %x, %x : tensor<f32>
  %t = stablehlo.add %step, %one : tensor<f32>
  %old = stablehlo.multiply %m, %decay : tensor<f32>
  %metric = stablehlo.abs %x : tensor<f32>
  %g = "nn.gradient"(%loss, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %new = stablehlo.add %old, %g : tensor<f32>
  %scaled = stablehlo.multiply %new, %loss : tensor<f32>
  %update = stablehlo.divide %scaled, %t : tensor<f32>
  return %loss, %t, %update, %metric : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
