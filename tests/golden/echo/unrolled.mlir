// RUN: echo-opt --to=echoed --echo=budget=min %s | FileCheck %s
// RUN: echo-opt --to=step %s | FileCheck %s --check-prefix=OFF
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --seed=1 --echo --expect=%t.npz --rtol=0 --atol=0 --quiet

// A loop over three layers and the loop of its gradient: written out they take less, and nothing of the offer is left. Before Echo
// loops stay as they were written.
// CHECK-NOT:   echo.unrolled
// CHECK:       func.func @main(
// CHECK-NOT:   stablehlo.while
// CHECK-NOT:   func.func
// OFF-COUNT-2: stablehlo.while
// OFF-NOT:     func.func
func.func @main(%w: tensor<3x64x64xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<256x64xf32>) -> (tensor<f32>, tensor<3x64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x256x64xf32>
  %f:5 = stablehlo.while(%i = %zero, %h = %x, %s = %empty, %t = %empty, %ws = %w) : tensor<i32>, tensor<256x64xf32>, tensor<3x256x64xf32>, tensor<3x256x64xf32>, tensor<3x64x64xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %wi = stablehlo.dynamic_slice %ws, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %wr = stablehlo.reshape %wi : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %a = stablehlo.dot_general %h, %wr, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    %y = stablehlo.tanh %a : tensor<256x64xf32>
    %hs = stablehlo.reshape %h : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %ys = stablehlo.reshape %y : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %hs, %i, %zero, %zero : (tensor<3x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x256x64xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %ys, %i, %zero, %zero : (tensor<3x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x256x64xf32>
    stablehlo.return %j, %y, %s1, %t1, %ws : tensor<i32>, tensor<256x64xf32>, tensor<3x256x64xf32>, tensor<3x256x64xf32>, tensor<3x64x64xf32>
  }
  %loss = stablehlo.reduce(%f#1 init: %nothing) applies stablehlo.add across dimensions = [0, 1] : (tensor<256x64xf32>, tensor<f32>) -> tensor<f32>
  %b:5 = stablehlo.while(%i = %zero, %g = %f#1, %ws = %w, %s = %f#2, %t = %f#3) : tensor<i32>, tensor<256x64xf32>, tensor<3x64x64xf32>, tensor<3x256x64xf32>, tensor<3x256x64xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %two, %i : tensor<i32>
    %hs = stablehlo.dynamic_slice %s, %k, %zero, %zero, sizes = [1, 256, 64] : (tensor<3x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %ys = stablehlo.dynamic_slice %t, %k, %zero, %zero, sizes = [1, 256, 64] : (tensor<3x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %wi = stablehlo.dynamic_slice %ws, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %h = stablehlo.reshape %hs : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    %y = stablehlo.reshape %ys : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    %wr = stablehlo.reshape %wi : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %yy = stablehlo.multiply %y, %y : tensor<256x64xf32>
    %gy = stablehlo.multiply %g, %yy : tensor<256x64xf32>
    %ga = stablehlo.subtract %g, %gy : tensor<256x64xf32>
    %gw = stablehlo.dot_general %h, %ga, contracting_dims = [0] x [0] : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<64x64xf32>
    %gh = stablehlo.dot_general %ga, %wr, contracting_dims = [1] x [1] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    %wn = stablehlo.subtract %wr, %gw : tensor<64x64xf32>
    %wn1 = stablehlo.reshape %wn : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %w1 = stablehlo.dynamic_update_slice %ws, %wn1, %k, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    stablehlo.return %j, %gh, %w1, %s, %t : tensor<i32>, tensor<256x64xf32>, tensor<3x64x64xf32>, tensor<3x256x64xf32>, tensor<3x256x64xf32>
  }
  return %loss, %b#2 : tensor<f32>, tensor<3x64x64xf32>
}
