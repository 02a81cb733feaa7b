// A product of halves takes the time of tensor cores whatever its sums are rounded to: prices of two products of bf16, into f32 and into bf16, are those of as many operations, and a fraction of f32's.
// RUN: echo-run %s --device=cuda --quiet --kernels --json=%t.json
// RUN: python3 -c "import json; a, b, c = sorted(x['predicted_ns'] for x in json.load(open('%t.json'))['kernels'] if x['launches']); assert b < 1.2 * a and 2 * b < c, (a, b, c)"
func.func @main(%a: tensor<380x384xbf16>, %b: tensor<380x384xbf16>, %c: tensor<380x384xf32>) -> (tensor<384x384xf32>, tensor<384x384xbf16>, tensor<384x384xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<380x384xbf16>, tensor<380x384xbf16>) -> tensor<384x384xf32>
  %1 = stablehlo.dot_general %b, %b, contracting_dims = [0] x [0] : (tensor<380x384xbf16>, tensor<380x384xbf16>) -> tensor<384x384xbf16>
  %2 = stablehlo.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<380x384xf32>, tensor<380x384xf32>) -> tensor<384x384xf32>
  return %0, %1, %2 : tensor<384x384xf32>, tensor<384x384xbf16>, tensor<384x384xf32>
}
