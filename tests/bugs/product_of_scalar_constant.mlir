// RUN: echo-run %s --quiet
// RUN: echo-opt %s --to=planned | FileCheck %s
// A constant of rank 0 joined the kernel of the product that reads it, whose loops read arguments alone: an error without a reason.
// CHECK: "kernel.func"() <{{.*}}kind = "contraction"
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<7xf32>)
func.func @main(%y: tensor<7xf32>) -> tensor<7xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.dot_general %half, %y, contracting_dims = [] x [] : (tensor<f32>, tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
