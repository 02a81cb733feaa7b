// The gradient of patches of 4 x 4 multiplies no zeros either, and has all 16 residues of its three features as columns of one product: it takes what
// a window of one place and 48 features does.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = [k['predicted_ns'] for k in json.load(open('%t'))['kernels']]; assert len(ns) == 2 and abs(ns[0] / ns[1] - 1) < 0.05, ns"

func.func @main(%y: tensor<4x16x16x96xf32>, %patches: tensor<4x4x3x96xf32>, %one: tensor<1x1x96x48xf32>) -> (tensor<4x64x64x3xf32>, tensor<4x16x16x48xf32>) {
  %data = stablehlo.convolution(%y, %patches) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[3, 3], [3, 3]], lhs_dilate = [4, 4]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x16x96xf32>, tensor<4x4x3x96xf32>) -> tensor<4x64x64x3xf32>
  %plain = stablehlo.convolution(%y, %one) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x16x96xf32>, tensor<1x1x96x48xf32>) -> tensor<4x16x16x48xf32>
  return %data, %plain : tensor<4x64x64x3xf32>, tensor<4x16x16x48xf32>
}
