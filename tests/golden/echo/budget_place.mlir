// RUN: not echo-opt %s --split-input-file --to=echoed --echo=budget=1B 2>&1 | FileCheck %s

// A function without a place, as JAX writes them, stands where it returns: at the line that calls what was compiled.
// CHECK: train.py:12:8: error: 'func.func' op cannot be brought below the budget
func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("layer.py":3:1)
  return %0 : tensor<4xf32> loc(callsite("f"("train.py":12:8) at "<module>"("train.py":20:1)))
} loc(unknown)

// -----

// CHECK: layer.py:3:1: error: 'func.func' op cannot be brought below the budget
func.func @inside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32> loc(unknown)
  %1 = stablehlo.tanh %0 : tensor<4xf32> loc("layer.py":3:1)
  return %1 : tensor<4xf32> loc(unknown)
} loc(unknown)

// -----

// CHECK: <unknown>:0: error: 'func.func' op cannot be brought below the budget
func.func @nowhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc(unknown)
  return %0 : tensor<4xf32> loc(unknown)
} loc(unknown)
