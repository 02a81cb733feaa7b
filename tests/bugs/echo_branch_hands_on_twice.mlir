// RUN: echo-opt %s --to=planned --echo=overhead=0% 2>&1 | FileCheck %s
// What a branch hands on as two results stays in its place as the first. Echo took the second to be made beside it and
// reckoned with 1024 bytes more, so that a plan of its own could stand above the one without it.
// CHECK: nothing lowers the peak of [[BYTES:[0-9]+]] bytes
// CHECK: "plan.arena"() <{alignment = 64 : i64, size_bytes = [[BYTES]] : i64}>
func.func @main(%p: tensor<i1>, %x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %v = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %b:2 = "stablehlo.if"(%p) ({
    %zero = stablehlo.constant dense<0.0> : tensor<16x16xf32>
    stablehlo.return %v, %zero : tensor<16x16xf32>, tensor<16x16xf32>
  }, {
    stablehlo.return %v, %v : tensor<16x16xf32>, tensor<16x16xf32>
  }) : (tensor<i1>) -> (tensor<16x16xf32>, tensor<16x16xf32>)
  %y = stablehlo.dot_general %b#0, %b#1, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
