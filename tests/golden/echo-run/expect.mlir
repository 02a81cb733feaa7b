// --expect: the worst element of each result, exit status 1 on a difference. A result is held as a whole to half of its type's digits, or to
// what --norm-rtol says, or each of its elements to --rtol and --atol.
// RUN: python3 %S/Inputs/make_npz.py %t.in.npz "arg0=<f4:2,2:1,2,3,4"
// RUN: python3 %S/Inputs/make_npz.py %t.near.npz "res0=<f4:2,2:2,4,6,8.001"
// RUN: echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz --rtol=1e-3 | FileCheck %s --check-prefix=NEAR
// NEAR: res0 result['sum']: same, worst at [1, 1]: got 8, expected 8.001{{.*}}, difference 0.001

// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz --rtol=1e-5 | FileCheck %s --check-prefix=FAR
// FAR: res0 result['sum']: DIFFERENT in 1 of 4 elements, worst at [1, 1]: got 8, expected 8.001

// RUN: echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz | FileCheck %s --check-prefix=WHOLE
// WHOLE: res0 result['sum']: same by 9.13e-05 of the norm, worst at [1, 1]: got 8, expected 8.001{{.*}}, difference 0.001
// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.near.npz --norm-rtol=1e-5 | FileCheck %s --check-prefix=NORM
// NORM: res0 result['sum']: DIFFERENT by 9.13e-05 of the norm, worst at [1, 1]
// RUN: python3 %S/Inputs/make_npz.py %t.far.npz "res0=<f4:2,2:2,4,6,8.01"
// RUN: not echo-run %s --no-cache --quiet --inputs=%t.in.npz --expect=%t.far.npz
// RUN: not echo-run %s --no-cache --expect=%t.far.npz --rtol=1 --norm-rtol=1 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --norm-rtol is of a whole result, --rtol and --atol are of each element

// JAX's name of a result stands behind its number, and for it.
// RUN: python3 %S/Inputs/make_npz.py %t.named.npz "result['sum']=<f4:2,2:4,8,12,16"
// RUN: echo-run %s --no-cache --inputs=%t.in.npz "--feed=result['sum']:arg0" --steps=2 --expect=%t.named.npz --json=%t.json | FileCheck %s --check-prefix=NAMED
// NAMED: res0 result['sum'] = [4, 8, 12, 16]
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "result_names": {
// JSON-NEXT: "res0": "result['sum']"
// RUN: not echo-run %s --no-cache --loss=none 2>&1 | FileCheck %s --check-prefix=LOSS
// LOSS: expect.mlir:[[#]]:1: error: 'func.func' op has no result 'none', which --loss asks for

// What NaN and infinities are equal to.
// RUN: python3 %S/Inputs/make_npz.py %t.in2.npz "arg0=<f4:2,2:nan,inf,-inf,1"
// RUN: python3 %S/Inputs/make_npz.py %t.same.npz "res0=<f4:2,2:nan,inf,-inf,2"
// RUN: python3 %S/Inputs/make_npz.py %t.other.npz "res0=<f4:2,2:1,inf,inf,2"
// RUN: echo-run %s --no-cache --quiet --inputs=%t.in2.npz --expect=%t.same.npz
// RUN: not echo-run %s --no-cache --quiet --inputs=%t.in2.npz --expect=%t.other.npz | FileCheck %s --check-prefix=NAN
// NAN: res0 result['sum']: DIFFERENT by 0 of the norm in 2 of 4 elements

// RUN: python3 %S/Inputs/make_npz.py %t.shape.npz "res0=<f4:4:1"
// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.shape.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: expected array 'res0' has another shape or type than the result
// RUN: python3 %S/Inputs/make_npz.py %t.name.npz "res1=<f4:4:1"
// RUN: not echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.name.npz 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected array 'res1' names no result: main has 1, from res0

func.func @main(%arg0: tensor<2x2xf32>) -> (tensor<2x2xf32> {jax.result_info = "result['sum']"}) {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
