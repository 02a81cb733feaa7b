// RUN: echo-opt %s --echo=budget=min --device-model=gpu-a100-40g --to=echoed -o - | FileCheck %s
// RUN: echo-run %s --steps=2 --outputs=%t.off.npz --quiet
// RUN: echo-run %s --steps=2 --echo=budget=min --expect=%t.off.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --steps=1 --device=interpreter --outputs=%t.ref.npz --quiet
// RUN: echo-opt %s --echo=budget=min --device-model=gpu-a100-40g --to=kernels -o - | echo-run - --steps=1 --device=interpreter --expect=%t.ref.npz --rtol=0 --atol=0 --quiet

// Gradients of three microbatches, written out one after the other: the least is a loop over them (--roll-loops), to the same bits.
// CHECK:     stablehlo.while
// CHECK-NOT: stablehlo.while

func.func @main(%w0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %w2: tensor<32x32xf32> {tf.aliasing_output = 2 : i32}, %w3: tensor<32x32xf32> {tf.aliasing_output = 3 : i32}, %b0: tensor<32xf32> {tf.aliasing_output = 4 : i32}, %b1: tensor<32xf32> {tf.aliasing_output = 5 : i32}, %b2: tensor<32xf32> {tf.aliasing_output = 6 : i32}, %b3: tensor<32xf32> {tf.aliasing_output = 7 : i32}, %x: tensor<3x64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>) {
%one = stablehlo.constant dense<1.0> : tensor<64x32xf32>
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%s0 = stablehlo.slice %x [0:1, 0:64, 0:32] : (tensor<3x64x32xf32>) -> tensor<1x64x32xf32>
%h0_0 = stablehlo.reshape %s0 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
%p0_0 = stablehlo.dot_general %h0_0, %w0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o0_0 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a0_0 = stablehlo.add %p0_0, %o0_0 : tensor<64x32xf32>
%h0_1 = stablehlo.tanh %a0_0 : tensor<64x32xf32>
%p0_1 = stablehlo.dot_general %h0_1, %w1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o0_1 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a0_1 = stablehlo.add %p0_1, %o0_1 : tensor<64x32xf32>
%h0_2 = stablehlo.tanh %a0_1 : tensor<64x32xf32>
%p0_2 = stablehlo.dot_general %h0_2, %w2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o0_2 = stablehlo.broadcast_in_dim %b2, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a0_2 = stablehlo.add %p0_2, %o0_2 : tensor<64x32xf32>
%h0_3 = stablehlo.tanh %a0_2 : tensor<64x32xf32>
%p0_3 = stablehlo.dot_general %h0_3, %w3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o0_3 = stablehlo.broadcast_in_dim %b3, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a0_3 = stablehlo.add %p0_3, %o0_3 : tensor<64x32xf32>
%h0_4 = stablehlo.tanh %a0_3 : tensor<64x32xf32>
%v0 = stablehlo.multiply %h0_4, %h0_4 : tensor<64x32xf32>
%l_0 = stablehlo.reduce(%v0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
%d0_4 = stablehlo.add %h0_4, %h0_4 : tensor<64x32xf32>
%q0_3 = stablehlo.multiply %h0_4, %h0_4 : tensor<64x32xf32>
%r0_3 = stablehlo.subtract %one, %q0_3 : tensor<64x32xf32>
%z0_3 = stablehlo.multiply %d0_4, %r0_3 : tensor<64x32xf32>
%w3_0 = stablehlo.dot_general %h0_3, %z0_3, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b3_0 = stablehlo.reduce(%z0_3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d0_3 = stablehlo.dot_general %z0_3, %w3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q0_2 = stablehlo.multiply %h0_3, %h0_3 : tensor<64x32xf32>
%r0_2 = stablehlo.subtract %one, %q0_2 : tensor<64x32xf32>
%z0_2 = stablehlo.multiply %d0_3, %r0_2 : tensor<64x32xf32>
%w2_0 = stablehlo.dot_general %h0_2, %z0_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b2_0 = stablehlo.reduce(%z0_2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d0_2 = stablehlo.dot_general %z0_2, %w2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q0_1 = stablehlo.multiply %h0_2, %h0_2 : tensor<64x32xf32>
%r0_1 = stablehlo.subtract %one, %q0_1 : tensor<64x32xf32>
%z0_1 = stablehlo.multiply %d0_2, %r0_1 : tensor<64x32xf32>
%w1_0 = stablehlo.dot_general %h0_1, %z0_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b1_0 = stablehlo.reduce(%z0_1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d0_1 = stablehlo.dot_general %z0_1, %w1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q0_0 = stablehlo.multiply %h0_1, %h0_1 : tensor<64x32xf32>
%r0_0 = stablehlo.subtract %one, %q0_0 : tensor<64x32xf32>
%z0_0 = stablehlo.multiply %d0_1, %r0_0 : tensor<64x32xf32>
%w0_0 = stablehlo.dot_general %h0_0, %z0_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b0_0 = stablehlo.reduce(%z0_0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d0_0 = stablehlo.dot_general %z0_0, %w0, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%s1 = stablehlo.slice %x [1:2, 0:64, 0:32] : (tensor<3x64x32xf32>) -> tensor<1x64x32xf32>
%h1_0 = stablehlo.reshape %s1 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
%p1_0 = stablehlo.dot_general %h1_0, %w0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o1_0 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a1_0 = stablehlo.add %p1_0, %o1_0 : tensor<64x32xf32>
%h1_1 = stablehlo.tanh %a1_0 : tensor<64x32xf32>
%p1_1 = stablehlo.dot_general %h1_1, %w1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o1_1 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a1_1 = stablehlo.add %p1_1, %o1_1 : tensor<64x32xf32>
%h1_2 = stablehlo.tanh %a1_1 : tensor<64x32xf32>
%p1_2 = stablehlo.dot_general %h1_2, %w2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o1_2 = stablehlo.broadcast_in_dim %b2, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a1_2 = stablehlo.add %p1_2, %o1_2 : tensor<64x32xf32>
%h1_3 = stablehlo.tanh %a1_2 : tensor<64x32xf32>
%p1_3 = stablehlo.dot_general %h1_3, %w3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o1_3 = stablehlo.broadcast_in_dim %b3, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a1_3 = stablehlo.add %p1_3, %o1_3 : tensor<64x32xf32>
%h1_4 = stablehlo.tanh %a1_3 : tensor<64x32xf32>
%v1 = stablehlo.multiply %h1_4, %h1_4 : tensor<64x32xf32>
%l_1 = stablehlo.reduce(%v1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
%d1_4 = stablehlo.add %h1_4, %h1_4 : tensor<64x32xf32>
%q1_3 = stablehlo.multiply %h1_4, %h1_4 : tensor<64x32xf32>
%r1_3 = stablehlo.subtract %one, %q1_3 : tensor<64x32xf32>
%z1_3 = stablehlo.multiply %d1_4, %r1_3 : tensor<64x32xf32>
%w3_1 = stablehlo.dot_general %h1_3, %z1_3, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b3_1 = stablehlo.reduce(%z1_3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d1_3 = stablehlo.dot_general %z1_3, %w3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q1_2 = stablehlo.multiply %h1_3, %h1_3 : tensor<64x32xf32>
%r1_2 = stablehlo.subtract %one, %q1_2 : tensor<64x32xf32>
%z1_2 = stablehlo.multiply %d1_3, %r1_2 : tensor<64x32xf32>
%w2_1 = stablehlo.dot_general %h1_2, %z1_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b2_1 = stablehlo.reduce(%z1_2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d1_2 = stablehlo.dot_general %z1_2, %w2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q1_1 = stablehlo.multiply %h1_2, %h1_2 : tensor<64x32xf32>
%r1_1 = stablehlo.subtract %one, %q1_1 : tensor<64x32xf32>
%z1_1 = stablehlo.multiply %d1_2, %r1_1 : tensor<64x32xf32>
%w1_1 = stablehlo.dot_general %h1_1, %z1_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b1_1 = stablehlo.reduce(%z1_1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d1_1 = stablehlo.dot_general %z1_1, %w1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q1_0 = stablehlo.multiply %h1_1, %h1_1 : tensor<64x32xf32>
%r1_0 = stablehlo.subtract %one, %q1_0 : tensor<64x32xf32>
%z1_0 = stablehlo.multiply %d1_1, %r1_0 : tensor<64x32xf32>
%w0_1 = stablehlo.dot_general %h1_0, %z1_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b0_1 = stablehlo.reduce(%z1_0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d1_0 = stablehlo.dot_general %z1_0, %w0, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%w0_to1 = stablehlo.add %w0_0, %w0_1 : tensor<32x32xf32>
%w1_to1 = stablehlo.add %w1_0, %w1_1 : tensor<32x32xf32>
%w2_to1 = stablehlo.add %w2_0, %w2_1 : tensor<32x32xf32>
%w3_to1 = stablehlo.add %w3_0, %w3_1 : tensor<32x32xf32>
%b0_to1 = stablehlo.add %b0_0, %b0_1 : tensor<32xf32>
%b1_to1 = stablehlo.add %b1_0, %b1_1 : tensor<32xf32>
%b2_to1 = stablehlo.add %b2_0, %b2_1 : tensor<32xf32>
%b3_to1 = stablehlo.add %b3_0, %b3_1 : tensor<32xf32>
%l_to1 = stablehlo.add %l_0, %l_1 : tensor<f32>
%s2 = stablehlo.slice %x [2:3, 0:64, 0:32] : (tensor<3x64x32xf32>) -> tensor<1x64x32xf32>
%h2_0 = stablehlo.reshape %s2 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
%p2_0 = stablehlo.dot_general %h2_0, %w0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o2_0 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a2_0 = stablehlo.add %p2_0, %o2_0 : tensor<64x32xf32>
%h2_1 = stablehlo.tanh %a2_0 : tensor<64x32xf32>
%p2_1 = stablehlo.dot_general %h2_1, %w1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o2_1 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a2_1 = stablehlo.add %p2_1, %o2_1 : tensor<64x32xf32>
%h2_2 = stablehlo.tanh %a2_1 : tensor<64x32xf32>
%p2_2 = stablehlo.dot_general %h2_2, %w2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o2_2 = stablehlo.broadcast_in_dim %b2, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a2_2 = stablehlo.add %p2_2, %o2_2 : tensor<64x32xf32>
%h2_3 = stablehlo.tanh %a2_2 : tensor<64x32xf32>
%p2_3 = stablehlo.dot_general %h2_3, %w3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%o2_3 = stablehlo.broadcast_in_dim %b3, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
%a2_3 = stablehlo.add %p2_3, %o2_3 : tensor<64x32xf32>
%h2_4 = stablehlo.tanh %a2_3 : tensor<64x32xf32>
%v2 = stablehlo.multiply %h2_4, %h2_4 : tensor<64x32xf32>
%l_2 = stablehlo.reduce(%v2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
%d2_4 = stablehlo.add %h2_4, %h2_4 : tensor<64x32xf32>
%q2_3 = stablehlo.multiply %h2_4, %h2_4 : tensor<64x32xf32>
%r2_3 = stablehlo.subtract %one, %q2_3 : tensor<64x32xf32>
%z2_3 = stablehlo.multiply %d2_4, %r2_3 : tensor<64x32xf32>
%w3_2 = stablehlo.dot_general %h2_3, %z2_3, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b3_2 = stablehlo.reduce(%z2_3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d2_3 = stablehlo.dot_general %z2_3, %w3, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q2_2 = stablehlo.multiply %h2_3, %h2_3 : tensor<64x32xf32>
%r2_2 = stablehlo.subtract %one, %q2_2 : tensor<64x32xf32>
%z2_2 = stablehlo.multiply %d2_3, %r2_2 : tensor<64x32xf32>
%w2_2 = stablehlo.dot_general %h2_2, %z2_2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b2_2 = stablehlo.reduce(%z2_2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d2_2 = stablehlo.dot_general %z2_2, %w2, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q2_1 = stablehlo.multiply %h2_2, %h2_2 : tensor<64x32xf32>
%r2_1 = stablehlo.subtract %one, %q2_1 : tensor<64x32xf32>
%z2_1 = stablehlo.multiply %d2_2, %r2_1 : tensor<64x32xf32>
%w1_2 = stablehlo.dot_general %h2_1, %z2_1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b1_2 = stablehlo.reduce(%z2_1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d2_1 = stablehlo.dot_general %z2_1, %w1, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%q2_0 = stablehlo.multiply %h2_1, %h2_1 : tensor<64x32xf32>
%r2_0 = stablehlo.subtract %one, %q2_0 : tensor<64x32xf32>
%z2_0 = stablehlo.multiply %d2_1, %r2_0 : tensor<64x32xf32>
%w0_2 = stablehlo.dot_general %h2_0, %z2_0, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
%b0_2 = stablehlo.reduce(%z2_0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
%d2_0 = stablehlo.dot_general %z2_0, %w0, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
%w0_to2 = stablehlo.add %w0_to1, %w0_2 : tensor<32x32xf32>
%w1_to2 = stablehlo.add %w1_to1, %w1_2 : tensor<32x32xf32>
%w2_to2 = stablehlo.add %w2_to1, %w2_2 : tensor<32x32xf32>
%w3_to2 = stablehlo.add %w3_to1, %w3_2 : tensor<32x32xf32>
%b0_to2 = stablehlo.add %b0_to1, %b0_2 : tensor<32xf32>
%b1_to2 = stablehlo.add %b1_to1, %b1_2 : tensor<32xf32>
%b2_to2 = stablehlo.add %b2_to1, %b2_2 : tensor<32xf32>
%b3_to2 = stablehlo.add %b3_to1, %b3_2 : tensor<32xf32>
%l_to2 = stablehlo.add %l_to1, %l_2 : tensor<f32>
%w0_new = stablehlo.subtract %w0, %w0_to2 : tensor<32x32xf32>
%w1_new = stablehlo.subtract %w1, %w1_to2 : tensor<32x32xf32>
%w2_new = stablehlo.subtract %w2, %w2_to2 : tensor<32x32xf32>
%w3_new = stablehlo.subtract %w3, %w3_to2 : tensor<32x32xf32>
%b0_new = stablehlo.subtract %b0, %b0_to2 : tensor<32xf32>
%b1_new = stablehlo.subtract %b1, %b1_to2 : tensor<32xf32>
%b2_new = stablehlo.subtract %b2, %b2_to2 : tensor<32xf32>
%b3_new = stablehlo.subtract %b3, %b3_to2 : tensor<32xf32>
return %w0_new, %w1_new, %w2_new, %w3_new, %b0_new, %b1_new, %b2_new, %b3_new, %l_to2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>
}
