// By StableHLO the elements of a window count that are inside; by XLA none of a window that sticks out, below zero or behind the end.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: sed '/expect_eq_const/s/dense<[^>]*>/dense<[0.0, 11.0, 13.0, 4.0, 4.0]>/' %s | echo-opt - --whole-windows -o %t.whole.mlir
// RUN: echo-run %t.whole.mlir --check --no-cache --quiet
// RUN: echo-run %t.whole.mlir --check --device=interpreter --quiet

func.func @main() {
  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 4.0, 4.0]> : tensor<5xf32>
  %i = stablehlo.constant dense<[[4], [-1], [1], [3]]> : tensor<4x1xi8>
  %unknown = stablehlo.optimization_barrier %i : tensor<4x1xi8>
  %u = stablehlo.constant dense<[[6.0, 7.0], [10.0, 11.0], [10.0, 11.0], [0.0, 0.0]]> : tensor<4x2xf32>
  %0 = "stablehlo.scatter"(%x, %unknown, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<4x1xi8>, tensor<4x2xf32>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<[11.0, 11.0, 13.0, 4.0, 10.0]> : tensor<5xf32>
  func.return
}
