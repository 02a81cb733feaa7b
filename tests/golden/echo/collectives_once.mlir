// RUN: echo-opt %s --to=planned --echo=budget=min | FileCheck %s
// RUN: sed 's/has_side_effect = true/has_side_effect = false/' %s | echo-opt - --to=planned --echo=budget=min | FileCheck --check-prefix=PURE %s

// Weights are gathered from parts of 4 KB and stand from forward to the end of backward, where 256 KB are wanted for what is wide in
// between: at the least budget a pure call is made again. A collective runs once.
// CHECK: callee = @[[GATHER:library_[0-9]+]], n_inputs = 2
// CHECK-NOT: callee = @[[GATHER]],
// PURE: callee = @[[GATHER:library_[0-9]+]], n_inputs = 1
// PURE: callee = @[[GATHER]], n_inputs = 1
func.func @main(%x: tensor<32x256xf32>, %part: tensor<4x256xf32>, %v: tensor<256x4096xf32>) -> (tensor<32x256xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.custom_call @echo.mpi.all_gather(%part) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 64 : i64, ranks = array<i64>}} : (tensor<4x256xf32>) -> tensor<64x4x256xf32>
  %w = stablehlo.reshape %all : (tensor<64x4x256xf32>) -> tensor<256x256xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x256xf32>) -> tensor<32x256xf32>
  %z = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x4096xf32>) -> tensor<32x4096xf32>
  %a = stablehlo.tanh %z : tensor<32x4096xf32>
  %loss = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4096xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.broadcast_in_dim %loss, dims = [] : (tensor<f32>) -> tensor<32x4096xf32>
  %aa = stablehlo.multiply %a, %l : tensor<32x4096xf32>
  %dh = stablehlo.dot_general %aa, %v, contracting_dims = [1] x [1] : (tensor<32x4096xf32>, tensor<256x4096xf32>) -> tensor<32x256xf32>
  %dx = stablehlo.dot_general %dh, %w, contracting_dims = [1] x [1] : (tensor<32x256xf32>, tensor<256x256xf32>) -> tensor<32x256xf32>
  return %dx, %loss : tensor<32x256xf32>, tensor<f32>
}
