// RUN: echo-opt --echo=overhead=100% %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=overhead=100% %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// Two loops read both stacks of the first, 1 - y and exp(y), as two gradients of one scan do. One stack of y, which both read, is in
// their place: what one reader lets go, the next one is asked about.
// CHECK-LABEL: func.func @main
// CHECK:         %[[F:.*]]:3 = stablehlo.while({{.*}}) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>
// CHECK-COUNT-1: stablehlo.dynamic_update_slice
// CHECK-NOT:     stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while({{.*}} = %[[F]]#2) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>
// CHECK-COUNT-1: stablehlo.dynamic_slice
// CHECK-NOT:     stablehlo.dynamic_slice
// CHECK:         stablehlo.while({{.*}} = %[[F]]#2) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>
// CHECK-COUNT-1: stablehlo.dynamic_slice
// CHECK-NOT:     stablehlo.dynamic_slice
func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three_trips = stablehlo.constant dense<3> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x64x64xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %x, %ys = %empty, %ds = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %three_trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ones = stablehlo.constant dense<1.0> : tensor<64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = stablehlo.tanh %z {echo.phase = "forward"} : tensor<64x64xf32>
    %d = stablehlo.subtract %ones, %y {echo.phase = "forward"} : tensor<64x64xf32>
    %e = stablehlo.exponential %y {echo.phase = "forward"} : tensor<64x64xf32>
    %y1 = stablehlo.reshape %e : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %d1 = stablehlo.reshape %d : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %ys1 = stablehlo.dynamic_update_slice %ys, %y1, %i, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    %ds1 = stablehlo.dynamic_update_slice %ds, %d1, %i, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    stablehlo.return %j, %y, %ys1, %ds1 : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
  }
  %b:4 = stablehlo.while(%i = %zero, %g = %x, %ys = %f#2, %ds = %f#3) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %three_trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %d1 = stablehlo.dynamic_slice %ds, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %d = stablehlo.reshape %d1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %q = stablehlo.multiply %g, %d {echo.phase = "backward"} : tensor<64x64xf32>
    %y1 = stablehlo.dynamic_slice %ys, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %y = stablehlo.reshape %y1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %r = stablehlo.add %q, %y {echo.phase = "backward"} : tensor<64x64xf32>
    %n = stablehlo.dot_general %r, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %n, %ys, %ds : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
  }
  %c:4 = stablehlo.while(%i = %zero, %g = %f#1, %ys = %f#2, %ds = %f#3) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %three_trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %d1 = stablehlo.dynamic_slice %ds, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %d = stablehlo.reshape %d1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %q = stablehlo.multiply %g, %d {echo.phase = "backward"} : tensor<64x64xf32>
    %y1 = stablehlo.dynamic_slice %ys, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %y = stablehlo.reshape %y1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %r = stablehlo.maximum %q, %y {echo.phase = "backward"} : tensor<64x64xf32>
    %n = stablehlo.dot_general %r, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %n, %ys, %ds : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
  }
  return %b#1, %c#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
