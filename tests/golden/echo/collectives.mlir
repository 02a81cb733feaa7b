// RUN: echo-opt %s --to=planned --echo=budget=min --mlir-pass-statistics --no-output 2>&1 | FileCheck %s
// RUN: echo-opt %s --to=planned --echo=budget=min --mlir-pass-statistics --device-model=%S/Inputs/slow_link.device --no-output 2>&1 | FileCheck --check-prefix=SLOW %s
// RUN: echo-opt %s --to=planned --device-model=%S/Inputs/slow_link.device | echo-translate - --emit=trace --device-model=%S/Inputs/slow_link.device | tail -1 | FileCheck --check-prefix=TRACE %s

// Layers of a stack, whose gradients are summed among four processes beside what backward goes on with. Over a fast link what is
// computed again takes time; over one of 100 MB/s it is done while the step would wait anyway, and costs nothing: each of eight sums
// sends 98,304 bytes, 1.01 ms. What is planned takes no less by the same model: memory is short for waiting late.
// CHECK: [[NS:[0-9]+]] off-ns
// CHECK-NOT: [[NS]] echo-ns
// SLOW: 4194304 off-bytes
// SLOW: 1048{{[0-9]+}} echo-bytes
// SLOW: [[NS:[0-9]+]] off-ns
// SLOW: [[NS]] echo-ns
// TRACE: ,99{{[0-9]+}},write
func.func @main(%x: tensor<512x128xf32>, %w0: tensor<128x128xf32>, %w1: tensor<128x128xf32>, %w2: tensor<128x128xf32>, %w3: tensor<128x128xf32>, %w4: tensor<128x128xf32>, %w5: tensor<128x128xf32>, %w6: tensor<128x128xf32>, %w7: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<512x128xf32>
  %z0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a0 = stablehlo.tanh %z0 : tensor<512x128xf32>
  %h0 = stablehlo.add %a0, %x : tensor<512x128xf32>
  %z1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a1 = stablehlo.tanh %z1 : tensor<512x128xf32>
  %h1 = stablehlo.add %a1, %h0 : tensor<512x128xf32>
  %z2 = stablehlo.dot_general %h1, %w2, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a2 = stablehlo.tanh %z2 : tensor<512x128xf32>
  %h2 = stablehlo.add %a2, %h1 : tensor<512x128xf32>
  %z3 = stablehlo.dot_general %h2, %w3, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a3 = stablehlo.tanh %z3 : tensor<512x128xf32>
  %h3 = stablehlo.add %a3, %h2 : tensor<512x128xf32>
  %z4 = stablehlo.dot_general %h3, %w4, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a4 = stablehlo.tanh %z4 : tensor<512x128xf32>
  %h4 = stablehlo.add %a4, %h3 : tensor<512x128xf32>
  %z5 = stablehlo.dot_general %h4, %w5, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a5 = stablehlo.tanh %z5 : tensor<512x128xf32>
  %h5 = stablehlo.add %a5, %h4 : tensor<512x128xf32>
  %z6 = stablehlo.dot_general %h5, %w6, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a6 = stablehlo.tanh %z6 : tensor<512x128xf32>
  %h6 = stablehlo.add %a6, %h5 : tensor<512x128xf32>
  %z7 = stablehlo.dot_general %h6, %w7, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %a7 = stablehlo.tanh %z7 : tensor<512x128xf32>
  %h7 = stablehlo.add %a7, %h6 : tensor<512x128xf32>
  %loss = stablehlo.reduce(%h7 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x128xf32>, tensor<f32>) -> tensor<f32>
  %d8 = stablehlo.multiply %h7, %h7 : tensor<512x128xf32>
  %t7 = stablehlo.multiply %a7, %a7 : tensor<512x128xf32>
  %u7 = stablehlo.subtract %one, %t7 : tensor<512x128xf32>
  %dz7 = stablehlo.multiply %d8, %u7 : tensor<512x128xf32>
  %dw7 = stablehlo.dot_general %h6, %dz7, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g7 = stablehlo.custom_call @echo.mpi.all_reduce(%dw7) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n7 = stablehlo.subtract %w7, %g7 : tensor<128x128xf32>
  %dx7 = stablehlo.dot_general %dz7, %w7, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d7 = stablehlo.add %dx7, %d8 : tensor<512x128xf32>
  %t6 = stablehlo.multiply %a6, %a6 : tensor<512x128xf32>
  %u6 = stablehlo.subtract %one, %t6 : tensor<512x128xf32>
  %dz6 = stablehlo.multiply %d7, %u6 : tensor<512x128xf32>
  %dw6 = stablehlo.dot_general %h5, %dz6, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g6 = stablehlo.custom_call @echo.mpi.all_reduce(%dw6) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n6 = stablehlo.subtract %w6, %g6 : tensor<128x128xf32>
  %dx6 = stablehlo.dot_general %dz6, %w6, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d6 = stablehlo.add %dx6, %d7 : tensor<512x128xf32>
  %t5 = stablehlo.multiply %a5, %a5 : tensor<512x128xf32>
  %u5 = stablehlo.subtract %one, %t5 : tensor<512x128xf32>
  %dz5 = stablehlo.multiply %d6, %u5 : tensor<512x128xf32>
  %dw5 = stablehlo.dot_general %h4, %dz5, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g5 = stablehlo.custom_call @echo.mpi.all_reduce(%dw5) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n5 = stablehlo.subtract %w5, %g5 : tensor<128x128xf32>
  %dx5 = stablehlo.dot_general %dz5, %w5, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d5 = stablehlo.add %dx5, %d6 : tensor<512x128xf32>
  %t4 = stablehlo.multiply %a4, %a4 : tensor<512x128xf32>
  %u4 = stablehlo.subtract %one, %t4 : tensor<512x128xf32>
  %dz4 = stablehlo.multiply %d5, %u4 : tensor<512x128xf32>
  %dw4 = stablehlo.dot_general %h3, %dz4, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g4 = stablehlo.custom_call @echo.mpi.all_reduce(%dw4) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n4 = stablehlo.subtract %w4, %g4 : tensor<128x128xf32>
  %dx4 = stablehlo.dot_general %dz4, %w4, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d4 = stablehlo.add %dx4, %d5 : tensor<512x128xf32>
  %t3 = stablehlo.multiply %a3, %a3 : tensor<512x128xf32>
  %u3 = stablehlo.subtract %one, %t3 : tensor<512x128xf32>
  %dz3 = stablehlo.multiply %d4, %u3 : tensor<512x128xf32>
  %dw3 = stablehlo.dot_general %h2, %dz3, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g3 = stablehlo.custom_call @echo.mpi.all_reduce(%dw3) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n3 = stablehlo.subtract %w3, %g3 : tensor<128x128xf32>
  %dx3 = stablehlo.dot_general %dz3, %w3, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d3 = stablehlo.add %dx3, %d4 : tensor<512x128xf32>
  %t2 = stablehlo.multiply %a2, %a2 : tensor<512x128xf32>
  %u2 = stablehlo.subtract %one, %t2 : tensor<512x128xf32>
  %dz2 = stablehlo.multiply %d3, %u2 : tensor<512x128xf32>
  %dw2 = stablehlo.dot_general %h1, %dz2, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g2 = stablehlo.custom_call @echo.mpi.all_reduce(%dw2) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n2 = stablehlo.subtract %w2, %g2 : tensor<128x128xf32>
  %dx2 = stablehlo.dot_general %dz2, %w2, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d2 = stablehlo.add %dx2, %d3 : tensor<512x128xf32>
  %t1 = stablehlo.multiply %a1, %a1 : tensor<512x128xf32>
  %u1 = stablehlo.subtract %one, %t1 : tensor<512x128xf32>
  %dz1 = stablehlo.multiply %d2, %u1 : tensor<512x128xf32>
  %dw1 = stablehlo.dot_general %h0, %dz1, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g1 = stablehlo.custom_call @echo.mpi.all_reduce(%dw1) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n1 = stablehlo.subtract %w1, %g1 : tensor<128x128xf32>
  %dx1 = stablehlo.dot_general %dz1, %w1, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d1 = stablehlo.add %dx1, %d2 : tensor<512x128xf32>
  %t0 = stablehlo.multiply %a0, %a0 : tensor<512x128xf32>
  %u0 = stablehlo.subtract %one, %t0 : tensor<512x128xf32>
  %dz0 = stablehlo.multiply %d1, %u0 : tensor<512x128xf32>
  %dw0 = stablehlo.dot_general %x, %dz0, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %g0 = stablehlo.custom_call @echo.mpi.all_reduce(%dw0) {has_side_effect = true, api_version = 4 : i32, backend_config = {group_size = 4 : i64, ranks = array<i64: 0, 1, 2, 3>, reduction = "sum"}} : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %n0 = stablehlo.subtract %w0, %g0 : tensor<128x128xf32>
  %dx0 = stablehlo.dot_general %dz0, %w0, contracting_dims = [1] x [1] : (tensor<512x128xf32>, tensor<128x128xf32>) -> tensor<512x128xf32>
  %d0 = stablehlo.add %dx0, %d1 : tensor<512x128xf32>
  return %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %loss : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<f32>
}
