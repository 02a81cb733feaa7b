// One module on both devices: results are shown, compared, and the same.
// RUN: python3 %S/Inputs/make_npz.py %t.in.npz "arg0=<f4:2,3:1,2,3,4,5,6" "arg1=<i4:3:7,8,-9"
// RUN: echo-run %s --device=interpreter --inputs=%t.in.npz --outputs=%t.out.npz | FileCheck %s
// RUN: echo-run %s --no-cache --inputs=%t.in.npz --expect=%t.out.npz --rtol=0 --atol=0 | FileCheck %s --check-prefixes=CHECK,CPU

// Several .npy: by name, else by place.
// RUN: mkdir -p %t.d
// RUN: python3 %S/Inputs/make_npz.py %t.d/arg1.npy "x=<i4:3:7,8,-9"
// RUN: python3 %S/Inputs/make_npz.py %t.d/other.npy "x=<f4:2,3:1,2,3,4,5,6"
// RUN: echo-run - --no-cache --quiet --inputs=%t.d/other.npy,%t.d/arg1.npy --expect=%t.out.npz --rtol=0 --atol=0 < %s

// CHECK: main: 2 arguments, 3 results
// CPU: memory: planned peak {{.*}} measured
// CHECK: res0 = [21]
// CHECK-NEXT: res1 = [1, 4, 2, 5, 3, 6]
// CHECK-NEXT: res2 = [7, 8, 9]
// CPU-NEXT: res0: same, worst at []: got 21, expected 21, difference 0
// CPU-NEXT: res1: same
// CPU-NEXT: res2: same

func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi32>) -> (tensor<f32>, tensor<3x2xf32>, tensor<3xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %turned = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %abs = stablehlo.abs %arg1 : tensor<3xi32>
  return %sum, %turned, %abs : tensor<f32>, tensor<3x2xf32>, tensor<3xi32>
}
