// RUN: echo-opt %s --to=planned | FileCheck %s
// RUN: echo-opt %s --to=planned | echo-opt --verify-plan -o /dev/null
// RUN: sed 's/%into: tensor<64x64xf32>/%into: tensor<64x64xf32> {tf.aliasing_output = 1 : i32}/' %s | echo-opt --to=planned | FileCheck %s --check-prefix=TAKEN

// The place of a result is the caller's, and free until the result is written: what is needed before stands there, one after the
// other and side by side. The first product and its halves are gone when %late is written. A result that takes the place of an
// argument lends nothing.
// CHECK:      plan.temp_bytes = 0 : i64
// CHECK:      func.func @main({{.*}}, %[[EARLY:.*]]: memref<f32> {plan.result = 0 : i32}, %[[LATE:.*]]: memref<64x64xf32> {plan.result = 1 : i32})
// CHECK:        "plan.buffer"(%[[LATE]]) <{offset = 0 : i64}> : (memref<64x64xf32>) -> memref<32x64xf32>
// CHECK:        "plan.buffer"(%[[LATE]]) <{offset = 8192 : i64}> : (memref<64x64xf32>) -> memref<32x64xf32>
// TAKEN:      plan.temp_bytes = 16384 : i64
// TAKEN-NOT:  "plan.buffer"(%arg
func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %into: tensor<64x64xf32>) -> (tensor<f32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %early = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
  %scaled = stablehlo.broadcast_in_dim %early, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %late = stablehlo.multiply %w, %scaled : tensor<64x64xf32>
  return %early, %late : tensor<f32>, tensor<64x64xf32>
}
