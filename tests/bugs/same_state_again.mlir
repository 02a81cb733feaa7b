// A loop hands on what its body makes anew of nothing that it carries (%k). Behind it stands the same op, so that one more iteration seemed to stand there, and one more after that, as often as it was looked for: sixteen
// million times, each a look at all that stands behind the loop.
// RUN: echo-opt %s --roll-loops | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     echo.rolled
// CHECK:         stablehlo.compare LT
// CHECK-NOT:     func.func
func.func @main(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %k = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %k : tensor<i32>, tensor<4xf32>
    }
  %t0 = stablehlo.tanh %r#1 : tensor<4xf32>
  %t1 = stablehlo.tanh %t0 : tensor<4xf32>
  %t2 = stablehlo.tanh %t1 : tensor<4xf32>
  %t3 = stablehlo.tanh %t2 : tensor<4xf32>
  %t4 = stablehlo.tanh %t3 : tensor<4xf32>
  %t5 = stablehlo.tanh %t4 : tensor<4xf32>
  %t6 = stablehlo.tanh %t5 : tensor<4xf32>
  %t7 = stablehlo.tanh %t6 : tensor<4xf32>
  %t8 = stablehlo.tanh %t7 : tensor<4xf32>
  %t9 = stablehlo.tanh %t8 : tensor<4xf32>
  %t10 = stablehlo.tanh %t9 : tensor<4xf32>
  %t11 = stablehlo.tanh %t10 : tensor<4xf32>
  %t12 = stablehlo.tanh %t11 : tensor<4xf32>
  %t13 = stablehlo.tanh %t12 : tensor<4xf32>
  %t14 = stablehlo.tanh %t13 : tensor<4xf32>
  %t15 = stablehlo.tanh %t14 : tensor<4xf32>
  %t16 = stablehlo.tanh %t15 : tensor<4xf32>
  %t17 = stablehlo.tanh %t16 : tensor<4xf32>
  %t18 = stablehlo.tanh %t17 : tensor<4xf32>
  %t19 = stablehlo.tanh %t18 : tensor<4xf32>
  %t20 = stablehlo.tanh %t19 : tensor<4xf32>
  %t21 = stablehlo.tanh %t20 : tensor<4xf32>
  %t22 = stablehlo.tanh %t21 : tensor<4xf32>
  %t23 = stablehlo.tanh %t22 : tensor<4xf32>
  %t24 = stablehlo.tanh %t23 : tensor<4xf32>
  %t25 = stablehlo.tanh %t24 : tensor<4xf32>
  %t26 = stablehlo.tanh %t25 : tensor<4xf32>
  %t27 = stablehlo.tanh %t26 : tensor<4xf32>
  %t28 = stablehlo.tanh %t27 : tensor<4xf32>
  %t29 = stablehlo.tanh %t28 : tensor<4xf32>
  %t30 = stablehlo.tanh %t29 : tensor<4xf32>
  %t31 = stablehlo.tanh %t30 : tensor<4xf32>
  %t32 = stablehlo.tanh %t31 : tensor<4xf32>
  %t33 = stablehlo.tanh %t32 : tensor<4xf32>
  %t34 = stablehlo.tanh %t33 : tensor<4xf32>
  %t35 = stablehlo.tanh %t34 : tensor<4xf32>
  %t36 = stablehlo.tanh %t35 : tensor<4xf32>
  %t37 = stablehlo.tanh %t36 : tensor<4xf32>
  %t38 = stablehlo.tanh %t37 : tensor<4xf32>
  %t39 = stablehlo.tanh %t38 : tensor<4xf32>
  %again = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  return %t39, %again : tensor<4xf32>, tensor<4xf32>
}
