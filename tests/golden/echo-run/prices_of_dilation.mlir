// A transposed convolution multiplies no zeros: a window of 2 x 2 over an input of dilation 2 has one place for each result, and takes what a window
// of one place does.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = [k['predicted_ns'] for k in json.load(open('%t'))['kernels']]; assert len(ns) == 2 and abs(ns[0] / ns[1] - 1) < 0.05, ns"

func.func @main(%x: tensor<8x14x14x64xf32>, %wide: tensor<8x28x28x64xf32>, %two: tensor<2x2x64x64xf32>, %one: tensor<1x1x64x64xf32>)
    -> (tensor<8x28x28x64xf32>, tensor<8x28x28x64xf32>) {
  %up = stablehlo.convolution(%x, %two) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x14x14x64xf32>, tensor<2x2x64x64xf32>) -> tensor<8x28x28x64xf32>
  %plain = stablehlo.convolution(%wide, %one) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x28x28x64xf32>, tensor<1x1x64x64xf32>) -> tensor<8x28x28x64xf32>
  return %up, %plain : tensor<8x28x28x64xf32>, tensor<8x28x28x64xf32>
}
