// RUN: echo-opt %s --unroll-maps=min-bytes=1024 --canonicalize --cse --dce | FileCheck %s
// RUN: echo-opt %s --unroll-maps=min-bytes=1024 --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: echo-opt %s --unroll-maps --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: echo-opt %s --unroll-maps="min-bytes=1024 max-ops=8" --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not echo-opt %s --unroll-maps=max-ops=-1 --no-output 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-opt %s --unroll-maps=min-bytes=1024 -o %t.mlir
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t.mlir --expect=%t.npz --rtol=1e-4 --atol=1e-7 --quiet
// COUNT: (S) 1 loops
// SMALL: (S) 0 loops
// NEGATIVE: error: {{.*}}max-ops and min-bytes are not negative

// Three rounds of nothing but maps, whose rotations are slices of what the loop hands round, are written out: shifts by numbers. A loop
// with a contraction stays, and so do all that carry less, or come to more.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     while
// CHECK:         stablehlo.shift_left
// CHECK:         stablehlo.shift_left
// CHECK:         stablehlo.shift_left
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dot_general
func.func @main(%x: tensor<16x16xui32>, %y: tensor<16x16xf32>) -> (tensor<16x16xui32>, tensor<16x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %odd = stablehlo.constant dense<[13, 5]> : tensor<2xui32>
  %even = stablehlo.constant dense<[17, 9]> : tensor<2xui32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %p = %odd, %q = %even) : tensor<i32>, tensor<16x16xui32>, tensor<2xui32>, tensor<2xui32>
  cond {
    %goes_on = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %first = stablehlo.slice %p [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %number = stablehlo.reshape %first : (tensor<1xui32>) -> tensor<ui32>
    %numbers = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<ui32>) -> tensor<16x16xui32>
    %shifted = stablehlo.shift_left %a, %numbers : tensor<16x16xui32>
    %b = stablehlo.xor %a, %shifted : tensor<16x16xui32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %q, %p : tensor<i32>, tensor<16x16xui32>, tensor<2xui32>, tensor<2xui32>
  }
  %s:2 = stablehlo.while(%i = %zero, %a = %y) : tensor<i32>, tensor<16x16xf32>
  cond {
    %goes_on = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %b = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %t = stablehlo.tanh %b : tensor<16x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<16x16xf32>
  }
  return %r#1, %s#1 : tensor<16x16xui32>, tensor<16x16xf32>
}
