// RUN: echo-opt --echo=budget=325000 %s | FileCheck %s --check-prefix=ONE
// RUN: echo-opt --echo=budget=280000 %s | FileCheck %s --check-prefix=TWO
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// Fifty iterations, and the second loop reads the states as they stand outside of it. Six segments of eight, and two iterations that
// are left over: their states stay on a stack of their own.
// ONE-LABEL: func.func @main
// ONE:         stablehlo.while
// ONE:           stablehlo.dynamic_update_slice {{.*}} -> tensor<6x64x64xf32>
// ONE:           stablehlo.while
// ONE:         stablehlo.while
// ONE:           stablehlo.dynamic_update_slice {{.*}} -> tensor<2x64x64xf32>
// ONE:         stablehlo.while
// ONE:           stablehlo.dynamic_slice {{.*}} (tensor<2x64x64xf32>
// ONE:         stablehlo.while
// ONE:           stablehlo.dynamic_slice {{.*}} (tensor<6x64x64xf32>
// ONE:           stablehlo.while
// ONE:             stablehlo.dynamic_update_slice {{.*}} -> tensor<8x64x64xf32>
// ONE:           stablehlo.while
// ONE:             stablehlo.dynamic_slice {{.*}} (tensor<8x64x64xf32>
// ONE-NOT:     tensor<50x64x64xf32>

// Segments of segments: of three, four and four.
// TWO-LABEL: func.func @main
// TWO:         stablehlo.while
// TWO:           stablehlo.dynamic_update_slice {{.*}} -> tensor<3x64x64xf32>
// TWO:           stablehlo.while
// TWO:             stablehlo.while
// TWO:           stablehlo.dynamic_slice {{.*}} (tensor<3x64x64xf32>
// TWO:           stablehlo.while
// TWO:             stablehlo.while
// TWO:             stablehlo.dynamic_update_slice {{.*}} -> tensor<4x64x64xf32>
// TWO:           stablehlo.while
// TWO:             stablehlo.dynamic_slice {{.*}} (tensor<4x64x64xf32>
// TWO:             stablehlo.while
// TWO:               stablehlo.dynamic_update_slice {{.*}} -> tensor<4x64x64xf32>
// TWO:             stablehlo.while
// TWO:               stablehlo.dynamic_slice {{.*}} (tensor<4x64x64xf32>
// TWO-NOT:     tensor<50x64x64xf32>
func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>, %b: tensor<50x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<50> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<50x64x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %h = %x, %hs = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<50x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %b1 = stablehlo.dynamic_slice %b, %i, %zero, sizes = [1, 64] : (tensor<50x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %b2 = stablehlo.broadcast_in_dim %b1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<64x64xf32>
    %h1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %hs1 = stablehlo.dynamic_update_slice %hs, %h1, %i, %zero, %zero : (tensor<50x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<50x64x64xf32>
    %z = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a = stablehlo.add %z, %b2 : tensor<64x64xf32>
    %y = stablehlo.tanh %a : tensor<64x64xf32>
    stablehlo.return %j, %y, %hs1 : tensor<i32>, tensor<64x64xf32>, tensor<50x64x64xf32>
  }
  %r:2 = stablehlo.while(%i = %zero, %g = %f#1) : tensor<i32>, tensor<64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<49> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %h1 = stablehlo.dynamic_slice %f#2, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<50x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.sine %h : tensor<64x64xf32>
    %m = stablehlo.dot_general %g, %s, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %m : tensor<i32>, tensor<64x64xf32>
  }
  return %r#1 : tensor<64x64xf32>
}
