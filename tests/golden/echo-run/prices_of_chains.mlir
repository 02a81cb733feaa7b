// Operations that wait one for another take one lane of a vector each (chained_flops_per_s). A sort does: 14 of them a comparison, 14 passes.
// Where the first hundred places are read, its rows are gathered in a twentieth of that. A running sum along the last dimension does, two of
// them an element; along the first its columns go side by side, at the cache's rate. A window of many places makes a line of eight results.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = [(k['kind'], k['predicted_ns'] - 2000) for k in json.load(open('%t'))['kernels'] if k['kind'] != 'map']; assert ns == [('sort', 3920000), ('sort', 186250), ('window', 65536), ('window', 10486), ('window', 4900)], ns"

func.func @main(%x: tensor<8x10000xf32>, %y: tensor<8x10000xf32>, %image: tensor<4x16x16x8xf32>, %long: tensor<32x4096xf32>) -> (tensor<8x10000xf32>, tensor<8x100xf32>, tensor<4x10x10x8xf32>, tensor<32x4096xf32>, tensor<32x4096xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<8x10000xf32>) -> tensor<8x10000xf32>
  %v, %i = chlo.top_k(%y, k = 100) : tensor<8x10000xf32> -> (tensor<8x100xf32>, tensor<8x100xi32>)
  %w = "stablehlo.reduce_window"(%image, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 1, 7, 7, 1>} : (tensor<4x16x16x8xf32>, tensor<f32>) -> tensor<4x10x10x8xf32>
  %p = "stablehlo.reduce_window"(%long, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 1, 4096>, padding = dense<[[0, 0], [4095, 0]]> : tensor<2x2xi64>} : (tensor<32x4096xf32>, tensor<f32>) -> tensor<32x4096xf32>
  %q = "stablehlo.reduce_window"(%long, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 32, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<32x4096xf32>, tensor<f32>) -> tensor<32x4096xf32>
  return %s, %v, %w, %p, %q : tensor<8x10000xf32>, tensor<8x100xf32>, tensor<4x10x10x8xf32>, tensor<32x4096xf32>, tensor<32x4096xf32>
}
