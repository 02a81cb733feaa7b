// RUN: echo-opt %s --to=echoed --echo="budget=min explain=true" -o /dev/null 2>&1 | FileCheck %s
// RUN: echo-opt %s --to=echoed --echo=budget=min | FileCheck %s --check-prefix=FACTS
// RUN: echo-opt %s --to=echoed --echo="budget=min swap=on explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SWAP

// Below what no plan is, in any order: the gradient of w2 reads two values and makes what stands in the space of a result; %h is kept while that runs, or
// its contraction runs again.
// CHECK: gap.mlir:[[#@LINE+4]]:1: remark: echo: gap=0.00%: no plan of at most {{[0-9]+}} bytes takes less than {{[0-9.]+}} us, this one {{[0-9.]+}} us; none is below 2097152 bytes
// FACTS: echo.bound_bytes = 2097152 : i64, echo.bound_ns = {{[1-9][0-9]*}} : i64
// SWAP: no plan of at most {{[0-9]+}} bytes with swaps takes less than {{.*}}, swapped or not

func.func @main(%x: tensor<512x512xf32>, %w1: tensor<512x512xf32>, %w2: tensor<512x512xf32>, %g: tensor<512x512xf32>,
                %to_w1: tensor<512x512xf32> {tf.aliasing_output = 0 : i32}, %to_w2: tensor<512x512xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %a = stablehlo.tanh %h : tensor<512x512xf32>
  %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %dy = stablehlo.multiply %g, %y : tensor<512x512xf32>
  %dw2 = stablehlo.dot_general %a, %dy, contracting_dims = [0] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %da = stablehlo.dot_general %dy, %w2, contracting_dims = [1] x [1] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %dh = stablehlo.multiply %da, %h : tensor<512x512xf32>
  %dw1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %dw1, %dw2 : tensor<512x512xf32>, tensor<512x512xf32>
}
