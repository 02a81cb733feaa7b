// What may be made in tf32 is planned at that rate, an eighth of f32's time on an A100; what says that it must not be is not, nor is anything
// where the module does not allow it; bits are the same as ever.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cuda --quiet --kernels --json=%t/f32.json --no-cache
// RUN: echo-run %s --device=cuda --quiet --kernels --json=%t/tf32.json --no-cache --tf32
// RUN: python3 -c "import json; ns = lambda n: sorted(k['predicted_ns'] for k in json.load(open('%t/' + n))['kernels'] if k['launches'] and k['kind'] == 'contraction'); f, t = ns('f32.json'), ns('tf32.json'); assert len(f) == len(t) == 2 and t[1] == f[1] > 9000 and 7 < (f[0] - 2500) / (t[0] - 2500) < 9, (f, t)"
func.func @main(%a: tensor<512x128xf32>, %b: tensor<128x576xf32>, %c: tensor<256x1024xf32>, %d: tensor<1024x256xf32>) -> (tensor<512x576xf32>, tensor<256x256xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x576xf32>) -> tensor<512x576xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<256x1024xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
  return %0, %1 : tensor<512x576xf32>, tensor<256x256xf32>
}
