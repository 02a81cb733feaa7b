// The first places of rows on a GPU: no row is sorted (lowering/kernels/lower_sort.c), ties stand in order.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz
func.func @main() -> (tensor<3x5xf32>, tensor<3x5xi32>, tensor<3x40xf32>, tensor<3x40xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<3x300xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x300xi32>
  %n = stablehlo.add %i, %r : tensor<3x300xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x300xi32>
  %q = stablehlo.constant dense<101> : tensor<3x300xi32>
  %u = stablehlo.multiply %n, %p : tensor<3x300xi32>
  %m = stablehlo.remainder %u, %q : tensor<3x300xi32>
  %x = stablehlo.convert %m : (tensor<3x300xi32>) -> tensor<3x300xf32>
  %v, %w = chlo.top_k(%x, k = 5) : tensor<3x300xf32> -> (tensor<3x5xf32>, tensor<3x5xi32>)
  %y = stablehlo.convert %n : (tensor<3x300xi32>) -> tensor<3x300xf32>
  %g, %h = chlo.top_k(%y, k = 40) : tensor<3x300xf32> -> (tensor<3x40xf32>, tensor<3x40xi32>)
  return %v, %w, %g, %h : tensor<3x5xf32>, tensor<3x5xi32>, tensor<3x40xf32>, tensor<3x40xi32>
}
