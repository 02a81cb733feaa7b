// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-opt --echo=overhead=0% %s | FileCheck %s --check-prefix=CHEAP
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt --echo=budget=min %s -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %t.mlir --no-output

// The first loop stacks z, four times as wide as its carry h, which is not stacked. At the least, h is stacked instead, and the second
// loop computes the contraction again, with the layer's slice of the weights: its index is that of the slice. Three iterations have no
// segments.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<64x16xf32>, tensor<3x64x16xf32>
// CHECK:           stablehlo.dynamic_update_slice {{.*}} : (tensor<3x64x16xf32>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x16xf32>
// CHECK:           stablehlo.dynamic_slice {{.*}} : (tensor<3x16x64xf32>
// CHECK:           stablehlo.dot_general {{.*}} {echo.phase = "backward", echo.recompute}

// A contraction is no price of nothing.
// CHEAP-LABEL: func.func @main
// CHEAP:         stablehlo.dynamic_update_slice {{.*}} : (tensor<3x64x64xf32>
// CHEAP-NOT:     echo.recompute
func.func @main(%w: tensor<3x16x64xf32>, %v: tensor<64x16xf32>, %x: tensor<64x16xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three_trips = stablehlo.constant dense<3> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<3x64x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %h = %x, %zs = %empty) : tensor<i32>, tensor<64x16xf32>, tensor<3x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %three_trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 16, 64] : (tensor<3x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %wi = stablehlo.reshape %w1 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %z = stablehlo.dot_general %h, %wi, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<64x64xf32>
    %y = stablehlo.tanh %z : tensor<64x64xf32>
    %n = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %z1 = stablehlo.reshape %z : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %zs1 = stablehlo.dynamic_update_slice %zs, %z1, %i, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    stablehlo.return %j, %n, %zs1 : tensor<i32>, tensor<64x16xf32>, tensor<3x64x64xf32>
  }
  %b:3 = stablehlo.while(%i = %zero, %g = %e, %zs = %f#2) : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %three_trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %z1 = stablehlo.dynamic_slice %zs, %k, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %z = stablehlo.reshape %z1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %c = stablehlo.cosine %z : tensor<64x64xf32>
    %n = stablehlo.add %g, %c : tensor<64x64xf32>
    stablehlo.return %j, %n, %zs : tensor<i32>, tensor<64x64xf32>, tensor<3x64x64xf32>
  }
  return %b#1 : tensor<64x64xf32>
}
