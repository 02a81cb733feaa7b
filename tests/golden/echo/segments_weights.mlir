// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir -o - | FileCheck %s --check-prefix=PLAN

// The second loop updates the weights of each layer in place, the last one first. The layers that run again take theirs from what is
// updated, where they are as they were: no second copy of all weights (262144 bytes) stands.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while({{.*}} = %arg0, {{.*}}) : {{.*}} tensor<16x64x64xf32>
// CHECK:         stablehlo.while({{.*}}, [[WEIGHTS:%iterArg_[0-9]+]] = %{{[0-9]+}}#3) :
// CHECK:           stablehlo.while
// CHECK:             stablehlo.dynamic_slice [[WEIGHTS]], {{.*}}echo.recompute
// CHECK:           stablehlo.while({{.*}} = [[WEIGHTS]], {{.*}}) :
// PLAN: plan.temp_bytes = 180544
func.func @main(%w: tensor<16x64x64xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64x64xf32>) -> (tensor<16x64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<16> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<16x64x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %h = %x, %hs = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<16x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %wi = stablehlo.reshape %w1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %h1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %hs1 = stablehlo.dynamic_update_slice %hs, %h1, %i, %zero, %zero : (tensor<16x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x64xf32>
    %z = stablehlo.dot_general %h, %wi, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = stablehlo.tanh %z : tensor<64x64xf32>
    stablehlo.return %j, %y, %hs1 : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>
  }
  %r:4 = stablehlo.while(%i = %zero, %g = %f#1, %ws = %w, %hs = %f#2) : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>, tensor<16x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<15> : tensor<i32>
    %rate = stablehlo.constant dense<0.1> : tensor<64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %h1 = stablehlo.dynamic_slice %hs, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<16x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %w1 = stablehlo.dynamic_slice %ws, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<16x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %wk = stablehlo.reshape %w1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %gw = stablehlo.dot_general %h, %g, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %step = stablehlo.multiply %gw, %rate : tensor<64x64xf32>
    %wn = stablehlo.subtract %wk, %step : tensor<64x64xf32>
    %wn1 = stablehlo.reshape %wn : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %ws1 = stablehlo.dynamic_update_slice %ws, %wn1, %k, %zero, %zero : (tensor<16x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x64xf32>
    %m = stablehlo.dot_general %g, %wk, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %m, %ws1, %hs : tensor<i32>, tensor<64x64xf32>, tensor<16x64x64xf32>, tensor<16x64x64xf32>
  }
  return %r#2, %r#1 : tensor<16x64x64xf32>, tensor<64x64xf32>
}
