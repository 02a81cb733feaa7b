// RUN: echo-run %s --quiet
// RUN: echo-opt %s --to=planned | FileCheck %s
// A constant of rank 0 joined the kernel of the product that reads it, whose loops read arguments alone: an error without a reason. Of integers, for a
// contraction of floats that adds up one product multiplies.
// CHECK: "kernel.func"() <{{.*}}kind = "contraction"
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<7xi32>)
func.func @main(%y: tensor<7xi32>) -> tensor<7xi32> {
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.dot_general %five, %y, contracting_dims = [] x [] : (tensor<i32>, tensor<7xi32>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
