// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --seed=1 --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --seed=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet

// Of six layers some are skipped, and each iteration stacks what its branch made for the gradient. The stacks go: the second loop has
// the layer run again, inside of the branch that reads what it made, and the branch of the first loop no longer hands it on.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while
// CHECK:           "stablehlo.case"
// CHECK:             stablehlo.tanh
// CHECK:           }) {{.*}}: (tensor<i32>) -> tensor<64x64xf32>
// CHECK:         stablehlo.while
// CHECK:           "stablehlo.case"
// CHECK:             stablehlo.dot_general {{.*}}echo.recompute
// CHECK:             stablehlo.tanh {{.*}}echo.recompute
// CHECK:           }) {{.*}}: (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-NOT:       "stablehlo.case"
func.func @main(%keep: tensor<6xi1>, %w: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<6x64x64xf32>
  %ways = stablehlo.constant dense<0> : tensor<6xi32>
  %f:5 = stablehlo.while(%i = %zero, %h = %x, %hs = %empty, %ts = %empty, %ps = %ways) : tensor<i32>, tensor<64x64xf32>, tensor<6x64x64xf32>, tensor<6x64x64xf32>, tensor<6xi32>
   cond {
    %six = stablehlo.constant dense<6> : tensor<i32>
    %goes_on = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k1 = stablehlo.dynamic_slice %keep, %i, sizes = [1] : (tensor<6xi1>, tensor<i32>) -> tensor<1xi1>
    %k = stablehlo.reshape %k1 : (tensor<1xi1>) -> tensor<i1>
    %p = stablehlo.convert %k : (tensor<i1>) -> tensor<i32>
    %r:3 = "stablehlo.case"(%p) ({
      %zeros = stablehlo.constant dense<0.0> : tensor<64x64xf32>
      stablehlo.return %h, %zeros, %zeros : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
    }, {
      %q = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = stablehlo.tanh %q : tensor<64x64xf32>
      %s = stablehlo.add %t, %h : tensor<64x64xf32>
      stablehlo.return %s, %h, %t : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
    }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
    %h1 = stablehlo.reshape %r#1 : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %t1 = stablehlo.reshape %r#2 : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %p1 = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
    %hs1 = stablehlo.dynamic_update_slice %hs, %h1, %i, %zero, %zero : (tensor<6x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x64xf32>
    %ts1 = stablehlo.dynamic_update_slice %ts, %t1, %i, %zero, %zero : (tensor<6x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x64xf32>
    %ps1 = stablehlo.dynamic_update_slice %ps, %p1, %i : (tensor<6xi32>, tensor<1xi32>, tensor<i32>) -> tensor<6xi32>
    stablehlo.return %j, %r#0, %hs1, %ts1, %ps1 : tensor<i32>, tensor<64x64xf32>, tensor<6x64x64xf32>, tensor<6x64x64xf32>, tensor<6xi32>
  }
  %b:6 = stablehlo.while(%i = %zero, %g = %f#1, %dw = %none, %hs = %f#2, %ts = %f#3, %ps = %f#4) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<6x64x64xf32>, tensor<6x64x64xf32>, tensor<6xi32>
   cond {
    %six = stablehlo.constant dense<6> : tensor<i32>
    %goes_on = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<5> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %p1 = stablehlo.dynamic_slice %ps, %k, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
    %p = stablehlo.reshape %p1 : (tensor<1xi32>) -> tensor<i32>
    %h1 = stablehlo.dynamic_slice %hs, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<6x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %t1 = stablehlo.dynamic_slice %ts, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<6x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %t = stablehlo.reshape %t1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %r:2 = "stablehlo.case"(%p) ({
      %zeros = stablehlo.constant dense<0.0> : tensor<64x64xf32>
      stablehlo.return %g, %zeros : tensor<64x64xf32>, tensor<64x64xf32>
    }, {
      %ones = stablehlo.constant dense<1.0> : tensor<64x64xf32>
      %tt = stablehlo.multiply %t, %t : tensor<64x64xf32>
      %d = stablehlo.subtract %ones, %tt : tensor<64x64xf32>
      %z = stablehlo.multiply %g, %d : tensor<64x64xf32>
      %wg = stablehlo.dot_general %h, %z, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %gh = stablehlo.dot_general %z, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %n = stablehlo.add %gh, %g : tensor<64x64xf32>
      stablehlo.return %n, %wg : tensor<64x64xf32>, tensor<64x64xf32>
    }) : (tensor<i32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
    %dw1 = stablehlo.add %dw, %r#1 : tensor<64x64xf32>
    stablehlo.return %j, %r#0, %dw1, %hs, %ts, %ps : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<6x64x64xf32>, tensor<6x64x64xf32>, tensor<6xi32>
  }
  return %f#1, %b#1, %b#2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
