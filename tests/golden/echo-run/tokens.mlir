// RUN: echo-run %s --device=interpreter | FileCheck %s
// RUN: echo-run %s | FileCheck %s

// A token that main takes or gives, as jax.export writes it of a program with effects in order, is an array of no elements.
// CHECK: main: 2 arguments, 2 results
// CHECK: res0 = []
// CHECK-NEXT: res1 = [{{.*}}, {{.*}}]
func.func @main(%token: !stablehlo.token, %x: tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>) {
  %0 = stablehlo.after_all %token, %token : !stablehlo.token
  %1:2 = call @more(%0, %x) : (!stablehlo.token, tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>)
  return %1#0, %1#1 : !stablehlo.token, tensor<2xf32>
}
func.func private @more(%token: !stablehlo.token, %x: tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>) {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %token, %y : !stablehlo.token, tensor<2xf32>
}
