// A product of halves takes the time of tensor cores whatever its sums are rounded to: prices of two products of bf16, into f32 and into bf16, are those of as many operations, and a fraction of f32's.
// RUN: echo-run %s --device=cuda --quiet --kernels --json=%t.json
// RUN: python3 -c "import json; a, b, c = sorted(x['predicted_ns'] for x in json.load(open('%t.json'))['kernels'] if x['launches']); assert b < 1.2 * a and 2 * b < c, (a, b, c)"
func.func @main(%a: tensor<256x512xbf16>, %b: tensor<512x256xbf16>, %c: tensor<512x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xbf16>, tensor<256x256xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x512xbf16>, tensor<512x256xbf16>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %b, %b, contracting_dims = [0] x [0] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
  %2 = stablehlo.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  return %0, %1, %2 : tensor<256x256xf32>, tensor<256x256xbf16>, tensor<256x256xf32>
}
