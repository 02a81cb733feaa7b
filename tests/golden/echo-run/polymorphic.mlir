// Shapes that main leaves open are those of the inputs.
// RUN: python3 %S/Inputs/make_npz.py %t.npz "arg0=<f4:3,2:1,2,3,4,5,6"
// RUN: echo-run %s --no-cache --inputs=%t.npz | FileCheck %s
// RUN: echo-run %s --device=interpreter --inputs=%t.npz | FileCheck %s
// CHECK: res0 = [1, 2, 3, 4, 5, 6]

// RUN: not echo-run %s --no-cache 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: argument 0 is tensor<?x2xf32>, a shape that is not known: --inputs must have an array arg0 of that rank

// RUN: python3 %S/Inputs/make_npz.py %t.other.npz "arg0=<f4:2,3:1"
// RUN: not echo-run %s --no-cache --inputs=%t.other.npz 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: array 'arg0' is tensor<2x3xf32>, but the argument is tensor<2x2xf32>
func.func @main(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %0 = stablehlo.multiply %n, %two : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_reshape %x, %1 : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
