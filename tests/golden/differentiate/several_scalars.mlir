// RUN: echo-opt %s --differentiate | FileCheck %s --check-prefix=ANY
// RUN: echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=1})' | FileCheck %s --check-prefix=SECOND
// RUN: not echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=2})' 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=7})' 2>&1 | FileCheck %s --check-prefix=BEYOND

// VECTOR: error: 'func.return' op result 2 is no scalar float and cannot be the loss
// BEYOND: error: 'func.return' op result 7 is no scalar float and cannot be the loss

// Either could be the loss: nothing is backward.
// ANY:         stablehlo.add %arg0, %arg0 {echo.phase = "forward"}
// ANY-NEXT:    stablehlo.multiply %arg0, %arg0 {echo.phase = "forward"}
// SECOND:      stablehlo.add %arg0, %arg0 {echo.phase = "backward"}
// SECOND-NEXT: stablehlo.multiply %arg0, %arg0 {echo.phase = "forward"}

// A helper's scalars are no losses.
// SECOND:      func.func private @helper
// SECOND:        stablehlo.add %arg0, %arg0 {echo.phase = "forward"}
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<2xf32>) {
  %0 = stablehlo.add %x, %x : tensor<f32>
  %1 = stablehlo.multiply %x, %x : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<2xf32>
}

func.func private @helper(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0, %x : tensor<f32>, tensor<f32>
}

// One that is returned twice is one.
// ANY:         func.func private @twice
// ANY:           stablehlo.add %arg0, %arg0 {echo.phase = "forward"}
// ANY-NEXT:      stablehlo.multiply %arg1, %arg1 {echo.phase = "backward"}
func.func private @twice(%x: tensor<f32>, %y: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<f32>
  %1 = stablehlo.multiply %y, %y : tensor<2xf32>
  return %0, %1, %0 : tensor<f32>, tensor<2xf32>, tensor<f32>
}
