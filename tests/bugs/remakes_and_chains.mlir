// A product that makes rows again has a kernel of its own: it was also taken as the first one of two whose rows stay in
// a block, which left it without any, and the planner crashed.
// RUN: echo-opt %s --to=kernels --target=sm_90 | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/want.npz
// RUN: env ECHO_GPU=sm_80 echo-run %s --device=cuda --quiet --expect=%t/want.npz

// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: kernel.call
// CHECK-NOT: kernel.call
func.func @main(%x: tensor<512x16xbf16>, %a: tensor<16x16xbf16>, %b: tensor<16x32xbf16>, %c: tensor<16x32xbf16>, %d: tensor<32x16xbf16>) -> tensor<512x16xbf16> {
  %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<512x16xbf16>, tensor<16x16xbf16>) -> tensor<512x16xbf16>
  %h = stablehlo.negate %y : tensor<512x16xbf16>
  %p = stablehlo.dot_general %h, %b, contracting_dims = [1] x [0] : (tensor<512x16xbf16>, tensor<16x32xbf16>) -> tensor<512x32xbf16>
  %q = stablehlo.dot_general %h, %c, contracting_dims = [1] x [0] : (tensor<512x16xbf16>, tensor<16x32xbf16>) -> tensor<512x32xbf16>
  %t = stablehlo.tanh %p : tensor<512x32xbf16>
  %u = stablehlo.multiply %t, %q : tensor<512x32xbf16>
  %r = stablehlo.dot_general %u, %d, contracting_dims = [1] x [0] : (tensor<512x32xbf16>, tensor<32x16xbf16>) -> tensor<512x16xbf16>
  return %r : tensor<512x16xbf16>
}
