// A slice that is put into an array whose memory the result takes: loops go over the slice alone, not over the array, which would take as long for
// each step of a loop as the array is long. What the slice is made of may be read from the array, at the same place. Where the array is still
// needed, or is somebody else's, the result is a new array, and all of it is gone through. Starts are clamped.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --no-cache --threads=1 --quiet --expect=%t/want.npz --rtol=1e-6 --outputs=%t/one.npz
// RUN: echo-run %s --no-cache --threads=3 --quiet --outputs=%t/three.npz && cmp %t/one.npz %t/three.npz
// RUN: echo-opt --to=loops %s | FileCheck %s
// CHECK-LABEL: func.func @map_2(
// CHECK: "arith.cmpi"
// CHECK: "memref.load"(%arg0, %arg4, %arg5) : (memref<9x5xf32>, index, index) -> f32
// CHECK-LABEL: func.func @map_4(
// CHECK-NOT: (memref<9x5xf32>, index, index) -> f32
// CHECK: "memref.store"({{.*}}) : (f32, memref<9x5xf32>, index, index) -> ()
// CHECK-LABEL: func.func @map_5(
// CHECK-NOT: "arith.cmpi"
// CHECK: "memref.store"({{.*}}) : (f32, memref<9x5xf32>, index, index) -> ()
// CHECK-LABEL: func.func @map_6(
func.func @main(%x: tensor<9x5xf32>, %a: tensor<9x5xf32>, %s: tensor<i32>) -> (tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<11> : tensor<i32>
  %empty = stablehlo.constant dense<0.5> : tensor<9x5xf32>
  %0:3 = stablehlo.while(%i = %zero, %stack = %empty, %sums = %a) : tensor<i32>, tensor<9x5xf32>, tensor<9x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 5] : (tensor<9x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    %e = stablehlo.tanh %row : tensor<1x5xf32>
    %stack1 = stablehlo.dynamic_update_slice %stack, %e, %i, %zero : (tensor<9x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<9x5xf32>
    %old = stablehlo.dynamic_slice %sums, %i, %zero, sizes = [1, 5] : (tensor<9x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    %new = stablehlo.add %old, %row : tensor<1x5xf32>
    %sums1 = stablehlo.dynamic_update_slice %sums, %new, %i, %zero : (tensor<9x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<9x5xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %stack1, %sums1 : tensor<i32>, tensor<9x5xf32>, tensor<9x5xf32>
  }
  %corner = stablehlo.slice %x [1:3, 0:2] : (tensor<9x5xf32>) -> tensor<2x2xf32>
  %other = stablehlo.dynamic_update_slice %x, %corner, %s, %s : (tensor<9x5xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<9x5xf32>
  return %0#1, %0#2, %other : tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>
}
