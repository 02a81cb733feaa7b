// What a gather's kernel looks up it makes for each row that is taken: as much as what is made of the rows behind the gather.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = [k['predicted_ns'] for k in json.load(open('%t'))['kernels']]; assert len(ns) == 2 and abs(ns[0] / ns[1] - 1) < 0.05, ns"

func.func @main(%t: tensor<2000x16xf32>, %u: tensor<2000x16xf32>, %i: tensor<32000x1xi32>, %j: tensor<32000x1xi32>) -> (tensor<32000x16xf32>, tensor<32000x16xf32>) {
  %a = stablehlo.add %t, %t : tensor<2000x16xf32>
  %b = stablehlo.multiply %a, %t : tensor<2000x16xf32>
  %c = stablehlo.subtract %b, %a : tensor<2000x16xf32>
  %before = "stablehlo.gather"(%c, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<2000x16xf32>, tensor<32000x1xi32>) -> tensor<32000x16xf32>
  %rows = "stablehlo.gather"(%u, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<2000x16xf32>, tensor<32000x1xi32>) -> tensor<32000x16xf32>
  %d = stablehlo.add %rows, %rows : tensor<32000x16xf32>
  %e = stablehlo.multiply %d, %rows : tensor<32000x16xf32>
  %behind = stablehlo.subtract %e, %d : tensor<32000x16xf32>
  return %before, %behind : tensor<32000x16xf32>, tensor<32000x16xf32>
}
