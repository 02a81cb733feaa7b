// RUN: echo-opt --echo=overhead=10% %s | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=overhead=10% %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// exp(t w) has sixteen times as many elements as t, and the loop reads one slice of it at a time, along the second dimension: it makes
// each from a slice of t. The product of t with a matrix stays outside: its bits depend on its shape.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     stablehlo.exponential
// CHECK:         stablehlo.dot_general
// CHECK:         stablehlo.while
// CHECK-NOT:     tensor<4x32x16xf32>
// CHECK:         } do {
// CHECK:           stablehlo.dynamic_slice %arg0, {{.*}}, %iterArg, sizes = [4, 1]
// CHECK:           stablehlo.multiply {{.*}} : tensor<4x1x16xf32>
// CHECK:           stablehlo.exponential {{.*}} : tensor<4x1x16xf32>
// CHECK:           stablehlo.dynamic_slice {{.*}}, %iterArg, {{.*}}, sizes = [1, 4]
// CHECK:         return
func.func @main(%t: tensor<4x32xf32>, %w: tensor<16xf32>, %m: tensor<4x4xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %first = stablehlo.constant dense<0.0> : tensor<4x16xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x16xf32>
  %c = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<16xf32>) -> tensor<4x32x16xf32>
  %p = stablehlo.multiply %b, %c : tensor<4x32x16xf32>
  %e = stablehlo.exponential %p : tensor<4x32x16xf32>
  %z = stablehlo.dot_general %t, %m, contracting_dims = [0] x [0] : (tensor<4x32xf32>, tensor<4x4xf32>) -> tensor<32x4xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %first, %es = %e, %zs = %z) : tensor<i32>, tensor<4x16xf32>, tensor<4x32x16xf32>, tensor<32x4xf32>
   cond {
    %n = stablehlo.constant dense<32> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.dynamic_slice %es, %zero, %i, %zero, sizes = [4, 1, 16] : (tensor<4x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x16xf32>
    %a1 = stablehlo.reshape %a : (tensor<4x1x16xf32>) -> tensor<4x16xf32>
    %y = stablehlo.dynamic_slice %zs, %i, %zero, sizes = [1, 4] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %y1 = stablehlo.reshape %y : (tensor<1x4xf32>) -> tensor<4xf32>
    %y2 = stablehlo.broadcast_in_dim %y1, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %s = stablehlo.multiply %a1, %h : tensor<4x16xf32>
    %g = stablehlo.add %s, %y2 : tensor<4x16xf32>
    stablehlo.return %j, %g, %es, %zs : tensor<i32>, tensor<4x16xf32>, tensor<4x32x16xf32>, tensor<32x4xf32>
  }
  return %f#1 : tensor<4x16xf32>
}
