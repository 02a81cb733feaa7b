// RUN: not echo-opt %s --differentiate 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=1})' | FileCheck %s --check-prefix=SECOND
// RUN: echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=-2})' | FileCheck %s --check-prefix=NONE
// RUN: not echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=2})' 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not echo-opt %s --pass-pipeline='builtin.module(differentiate{loss=7})' 2>&1 | FileCheck %s --check-prefix=BEYOND

// WHICH: several_scalars.mlir:[[#@LINE+19]]:3: error: 'func.return' op has 2 scalar float results: say with loss=N which one is the loss
// WHICH: note: result 0 is computed here
// WHICH: note: result 1 is computed here
// WHICH-NOT: note: result 2
// VECTOR: error: 'func.return' op result 2 is no scalar float and cannot be the loss
// BEYOND: error: 'func.return' op result 7 is no scalar float and cannot be the loss

// SECOND:      stablehlo.add %arg0, %arg0 {echo.phase = "backward"}
// SECOND-NEXT: stablehlo.multiply %arg0, %arg0 {echo.phase = "forward"}
// NONE:        stablehlo.add %arg0, %arg0 {echo.phase = "forward"}
// NONE-NEXT:   stablehlo.multiply %arg0, %arg0 {echo.phase = "forward"}

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
