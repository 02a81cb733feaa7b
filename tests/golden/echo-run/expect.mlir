// --expect: the worst element of each result, exit status 1 on a difference.
// RUN: python3 %S/Inputs/make_npz.py %t.in.npz "arg0=<f4:2,2:1,2,3,4"
// RUN: python3 %S/Inputs/make_npz.py %t.near.npz "res0=<f4:2,2:2,4,6,8.001"
// RUN: echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz --rtol=1e-3 | FileCheck %s --check-prefix=NEAR
// NEAR: res0: same, worst at [1, 1]: got 8, expected 8.001{{.*}}, difference 0.001

// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz | FileCheck %s --check-prefix=FAR
// FAR: res0: DIFFERENT in 1 of 4 elements, worst at [1, 1]: got 8, expected 8.001

// What NaN and infinities are equal to.
// RUN: python3 %S/Inputs/make_npz.py %t.in2.npz "arg0=<f4:2,2:nan,inf,-inf,1"
// RUN: python3 %S/Inputs/make_npz.py %t.same.npz "res0=<f4:2,2:nan,inf,-inf,2"
// RUN: python3 %S/Inputs/make_npz.py %t.other.npz "res0=<f4:2,2:1,inf,inf,2"
// RUN: echo-run %s --no-cache --quiet --inputs=%t.in2.npz --expect=%t.same.npz
// RUN: not echo-run %s --no-cache --quiet --inputs=%t.in2.npz --expect=%t.other.npz | FileCheck %s --check-prefix=NAN
// NAN: res0: DIFFERENT in 2 of 4 elements

// RUN: python3 %S/Inputs/make_npz.py %t.shape.npz "res0=<f4:4:1"
// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.shape.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: expected array 'res0' has another shape or type than the result
// RUN: python3 %S/Inputs/make_npz.py %t.name.npz "res1=<f4:4:1"
// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.name.npz 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected array 'res1' names no result: main has 1, from res0

func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
