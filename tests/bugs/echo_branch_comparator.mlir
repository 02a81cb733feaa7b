// RUN: echo-opt %s --to=echoed --echo=budget=min | FileCheck %s
// RUN: echo-run %s --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=1 --echo=budget=min --expect=%t.npz --rtol=0 --atol=0 --quiet

// Merging equal ops of a branch that runs again gives the comparator of a sort in it a constant that stands outside of the sort, on which
// nobody knew it to depend: the order put the sort in front of it (optax, the gradient of a projection on the L1 ball).

// CHECK-LABEL: func.func @main(
// CHECK: %[[ZERO:.*]] = stablehlo.constant {{.*}}dense<0.000000e+00> : tensor<f32>
// CHECK: "stablehlo.sort"
// CHECK-NEXT: ^bb0(
// CHECK: stablehlo.compare EQ, %{{.*}}, %[[ZERO]]
func.func @main(%x: tensor<64xf32>, %i: tensor<i32>, %m: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<64xf32>
  %s:2 = "stablehlo.case"(%i) ({
    %a = stablehlo.abs %x : tensor<64xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %o = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %e = stablehlo.compare EQ, %p, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %u = stablehlo.select %e, %zero, %p : tensor<i1>, tensor<f32>
      %l = stablehlo.compare LT, %u, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %t = stablehlo.reduce(%o init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %c = stablehlo.subtract %a, %b : tensor<64xf32>
    %g = stablehlo.compare GT, %c, %zeros, FLOAT : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
    %f = stablehlo.convert %g : (tensor<64xi1>) -> tensor<64xf32>
    stablehlo.return %f, %o : tensor<64xf32>, tensor<64xf32>
  }, {
    stablehlo.return %zeros, %zeros : tensor<64xf32>, tensor<64xf32>
  }) : (tensor<i32>) -> (tensor<64xf32>, tensor<64xf32>)
  %w = stablehlo.sine %m : tensor<64x64xf32>
  %r = "stablehlo.case"(%i) ({
    %b = stablehlo.broadcast_in_dim %s#0, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
    %c = stablehlo.broadcast_in_dim %s#1, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
    %d = stablehlo.multiply %b, %w : tensor<64x64xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %h = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
    %k = stablehlo.add %h, %c : tensor<64x64xf32>
    stablehlo.return %k : tensor<64x64xf32>
  }, {
    stablehlo.return %w : tensor<64x64xf32>
  }) : (tensor<i32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
