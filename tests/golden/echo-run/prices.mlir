// Time is predicted by what a kernel does, not by its flops and bytes alone: a transpose moves bytes more slowly than a stream, a sort and a
// Fourier transform take many times what their operations would in vectors, a square root is no sum, and of a product that is two
// columns wide two lanes of sixteen are in use.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = {k['kind']: k['predicted_ns'] - 2000 for k in json.load(open('%t'))['kernels']}; assert ns['transpose'] == 13107 and ns['sort'] > 100 * ns['map'] and ns['contraction'] == 21166 and ns['map'] == 7864 and ns['library'] > 20000, ns"

func.func @main(%x: tensor<256x256xf32>, %thin: tensor<256x2xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x2xf32>, tensor<256x129xf32>) {
  %root = stablehlo.sqrt %x : tensor<256x256xf32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %p = stablehlo.dot_general %x, %thin, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x2xf32>) -> tensor<256x2xf32>
  %f = stablehlo.fft %x, type = RFFT, length = [256] : (tensor<256x256xf32>) -> tensor<256x129xcomplex<f32>>
  %r = stablehlo.real %f : (tensor<256x129xcomplex<f32>>) -> tensor<256x129xf32>
  return %root, %t, %s, %p, %r : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x2xf32>, tensor<256x129xf32>
}
