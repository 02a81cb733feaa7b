// RUN: echo-opt --split-input-file --schedule %s | FileCheck %s

// An update runs as soon as its gradient is whole, so that the two gradients never stand together.
// CHECK-LABEL: func.func @updates
// CHECK:         %[[G1:.*]] = stablehlo.dot_general %arg3
// CHECK-NEXT:    stablehlo.subtract %arg1, %[[G1]]
// CHECK-NEXT:    %[[G0:.*]] = stablehlo.dot_general %arg2
// CHECK-NEXT:    stablehlo.subtract %arg0, %[[G0]]
func.func @updates(%w0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32},
                   %x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %g0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %g1 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %n0 = stablehlo.subtract %w0, %g0 : tensor<32x32xf32>
  %n1 = stablehlo.subtract %w1, %g1 : tensor<32x32xf32>
  return %n0, %n1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// The order given stays where no other is lower.
// CHECK-LABEL: func.func @already
// CHECK-NEXT:    stablehlo.tanh
// CHECK-NEXT:    stablehlo.dot_general
// CHECK-NEXT:    stablehlo.negate
func.func @already(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = stablehlo.tanh %x : tensor<4x4xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = stablehlo.negate %x : tensor<4x4xf32>
  return %b, %c : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What a barrier ties stays behind what it is tied to.
// CHECK-LABEL: func.func @tied
// CHECK:         %[[G:.*]] = stablehlo.dot_general
// CHECK:         %[[B:.*]]:2 = stablehlo.optimization_barrier %arg0, %[[G]]
// CHECK:         stablehlo.tanh %[[B]]#0
func.func @tied(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %g = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b:2 = stablehlo.optimization_barrier %x, %g : tensor<4x4xf32>, tensor<4x4xf32>
  %t = stablehlo.tanh %b#0 : tensor<4x4xf32>
  %r = stablehlo.multiply %t, %g : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// Who only picks something out of a large value reads it before the kernel that is written over it, wherever it was given: the
// picks and their sum stand before the gradient, and one value of this size is there at a time.
// CHECK-LABEL: func.func @late_reader
// CHECK:         %[[LOGITS:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK:         %[[PICKS:.*]] = stablehlo.select %{{.*}}, %[[LOGITS]]
// CHECK:         stablehlo.reduce(%[[PICKS]]
// CHECK:         %[[P:.*]] = stablehlo.divide
// CHECK:         stablehlo.dot_general %[[P]], %arg1
func.func @late_reader(%x: tensor<64x32xf32>, %w: tensor<32x4096xf32>, %label: tensor<64xi32>) -> (tensor<64x32xf32>, tensor<32x4096xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
  %logits = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x4096xf32>) -> tensor<64x4096xf32>
  %e = stablehlo.exponential %logits : tensor<64x4096xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  %rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x4096xf32>
  %p = stablehlo.divide %e, %rows : tensor<64x4096xf32>
  %gx = stablehlo.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<64x4096xf32>, tensor<32x4096xf32>) -> tensor<64x32xf32>
  %gw = stablehlo.dot_general %x, %p, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x4096xf32>) -> tensor<32x4096xf32>
  %iota = stablehlo.iota dim = 1 : tensor<64x4096xi32>
  %l = stablehlo.broadcast_in_dim %label, dims = [0] : (tensor<64xi32>) -> tensor<64x4096xi32>
  %hit = stablehlo.compare EQ, %iota, %l : (tensor<64x4096xi32>, tensor<64x4096xi32>) -> tensor<64x4096xi1>
  %picks = stablehlo.select %hit, %logits, %zeros : tensor<64x4096xi1>, tensor<64x4096xf32>
  %pick = stablehlo.reduce(%picks init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  return %gx, %gw, %pick : tensor<64x32xf32>, tensor<32x4096xf32>, tensor<64xf32>
}

// -----

// A weight is written over once nobody reads it any more: the update, with the momentum that is made in the same kernel, runs
// behind the last product with the old weight, however early its gradient is there, and at once then.
// CHECK-LABEL: func.func @overwritten
// CHECK:         %[[G:.*]] = stablehlo.dot_general %arg2, %arg3
// CHECK:         %[[DX:.*]] = stablehlo.dot_general %arg3, %arg0
// CHECK:         %[[M:.*]] = stablehlo.add %arg1, %[[G]]
// CHECK:         stablehlo.subtract %arg0, %[[M]]
// CHECK:         stablehlo.dot_general %[[DX]], %arg4
func.func @overwritten(%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<64x64xf32> {tf.aliasing_output = 1 : i32},
                       %x: tensor<64x64xf32>, %d: tensor<64x64xf32>, %v: tensor<64x256xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.add %m, %g : tensor<64x64xf32>
  %u = stablehlo.subtract %w, %n : tensor<64x64xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = stablehlo.dot_general %dx, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
  return %u, %n, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
}

// -----

// Two results that each take the place of what the other reads: neither can wait for the other.
// CHECK-LABEL: func.func @exchanged
// CHECK:         stablehlo.subtract
// CHECK:         stablehlo.add
func.func @exchanged(%a: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.subtract %a, %b : tensor<8xf32>
  %1 = stablehlo.add %a, %b : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A weight's gradient is taken before the rows of the layer below, however many ops its update has: nothing of the gradient is left once
// the weight's last reader is done.
// CHECK-LABEL: func.func @layer_by_layer
// CHECK:         %[[H2:.*]] = stablehlo.dot_general %{{.*}}, %arg1, contracting_dims = [1] x [0]
// CHECK:         %[[D2:.*]] = stablehlo.dot_general %[[H2]], %arg2, contracting_dims = [1] x [0]
// CHECK-DAG:     stablehlo.dot_general %[[H2]], %[[D2]], contracting_dims = [0] x [0]
// CHECK-DAG:     stablehlo.dot_general %[[D2]], %arg2, contracting_dims = [1] x [1]
// CHECK:         stablehlo.add %arg2
// CHECK:         stablehlo.dot_general %{{.*}}, %arg1, contracting_dims = [1] x [1]
func.func @layer_by_layer(%w0: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<64x64xf32> {tf.aliasing_output = 1 : i32},
                          %w2: tensor<64x64xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<8x64xf32>, %rate: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %h1 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %h2 = stablehlo.dot_general %h1, %w1, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %d2 = stablehlo.dot_general %h2, %w2, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %e1 = stablehlo.dot_general %d2, %w2, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %d1 = stablehlo.multiply %e1, %h2 : tensor<8x64xf32>
  %e0 = stablehlo.dot_general %d1, %w1, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %d0 = stablehlo.multiply %e0, %h1 : tensor<8x64xf32>
  %g0 = stablehlo.dot_general %x, %d0, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<64x64xf32>
  %g1 = stablehlo.dot_general %h1, %d1, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<64x64xf32>
  %g2 = stablehlo.dot_general %h2, %d2, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<64x64xf32>
  %s0 = stablehlo.multiply %g0, %rate : tensor<64x64xf32>
  %s1 = stablehlo.multiply %g1, %rate : tensor<64x64xf32>
  %s2 = stablehlo.multiply %g2, %rate : tensor<64x64xf32>
  %n0 = stablehlo.add %w0, %s0 : tensor<64x64xf32>
  %n1 = stablehlo.add %w1, %s1 : tensor<64x64xf32>
  %n2 = stablehlo.add %w2, %s2 : tensor<64x64xf32>
  return %n0, %n1, %n2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Who reads the argument and is itself a result waits for nobody, and runs before the argument is written over.
// CHECK-LABEL: func.func @results_read_first
// CHECK:         stablehlo.dot_general %arg0
// CHECK:         stablehlo.add %arg0
// CHECK-NEXT:    return
func.func @results_read_first(%a: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %two = stablehlo.constant dense<2.0> : tensor<16x16xf32>
  %new = stablehlo.add %a, %two : tensor<16x16xf32>
  %turned = stablehlo.reverse %a, dims = [0] : tensor<16x16xf32>
  %product = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %new, %turned, %product : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
