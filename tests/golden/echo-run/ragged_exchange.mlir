// Pieces of an array that one member of a ragged exchange sends itself, the first and last rows among them, of which none is clamped; an empty one; one over another.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet

func.func @main() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %y = stablehlo.constant dense<[[-1, -1], [-2, -2], [-3, -3], [-4, -4], [-5, -5], [-6, -6]]> : tensor<6x2xi32>
  %from = stablehlo.constant dense<[3, 0, 2, 1]> : tensor<4xi32>
  %sizes = stablehlo.constant dense<[1, 2, 0, 1]> : tensor<4xi32>
  %to = stablehlo.constant dense<[0, 4, 1, 4]> : tensor<4xi32>
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %y, %from, %sizes, %to, %sizes) {api_version = 4 : i32, backend_config = {replica_groups = dense<0> : tensor<1x1xi64>}} : (tensor<4x2xi32>, tensor<6x2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<6x2xi32>
  check.expect_eq_const %0, dense<[[7, 8], [-2, -2], [-3, -3], [-4, -4], [3, 4], [3, 4]]> : tensor<6x2xi32>
  return
}

// What a function that returns nothing is ended with is nobody's.
func.func @hands_over_nothing(%x: tensor<2xf32>) {
  stablehlo.return %x : tensor<2xf32>
}
func.func @end() {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  call @hands_over_nothing(%x) : (tensor<2xf32>) -> ()
  check.expect_eq %x, %x : tensor<2xf32>
  stablehlo.return %x : tensor<2xf32>
}

// A shape that is computed is that of the result's type, where this says one.
func.func @shapes() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %s = stablehlo.constant dense<[1, 2, 4, 3]> : tensor<4xi64>
  %sorted = "stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.compare LT, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  %shape = stablehlo.slice %sorted [1:3] : (tensor<4xi64>) -> tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  %row = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %row, %shape, dims = [1] : (tensor<3xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[7, 8, 9], [7, 8, 9]]> : tensor<2x3xi32>
  return
}
