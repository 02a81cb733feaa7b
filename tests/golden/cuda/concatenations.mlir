// A thread of a map reads the part of a concatenation that its places are of, and computes what that part is made of alone: along the last dimension, along the first, behind a reshape and before other maps, two of them in one kernel (which reads their
// operands at two places each). Parts
// that are shorter than a warp, or do not begin where 16 bytes do, are chosen element by element.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-6 --atol=1e-6 --kernels --json=%t/kernels.json
// RUN: echo-run %s --device=cpu --quiet --expect=%t/want.npz --rtol=1e-6 --atol=1e-6
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['launches']]; maps = sorted(x for x in ((x['floor_bytes'], x['bytes'], x['sector_use']) for x in k if x['kind'] == 'map') if x[0] > 20000); assert [x[1] for x in maps] == [32768, 65536, 131072] and all(x[2] == 1 for x in maps), k"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// One load a part, of four places.
// CHECK-LABEL: .entry map_0__0(
// CHECK-COUNT-4: ld.global{{(.nc)?}}.v4.f32
// CHECK-NOT:     ld.global
// CHECK:         st.global.v4.f32
func.func @main(%a: tensor<16x64xf32>, %b: tensor<16x64xf32>, %c: tensor<16x32xf32>, %d: tensor<16x96xf32>, %e: tensor<5x16x64xf32>, %f: tensor<3x16x64xf32>, %g: tensor<16x3xf32>, %h: tensor<16x30xf32>) -> (tensor<16x256xf32>, tensor<8x1024xf32>, tensor<8x1024xf32>, tensor<16x33xf32>, tensor<160x16xf32>) {
  // Gates of a recurrent cell.
  %0 = stablehlo.logistic %a : tensor<16x64xf32>
  %1 = stablehlo.tanh %b : tensor<16x64xf32>
  %2 = stablehlo.exponential %c : tensor<16x32xf32>
  %3 = stablehlo.negate %d : tensor<16x96xf32>
  %4 = stablehlo.concatenate %0, %1, %2, %3, dim = 1 : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x32xf32>, tensor<16x96xf32>) -> tensor<16x256xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<16x256xf32>
  // Stacks whose parts begin at different places, behind a reshape.
  %6 = stablehlo.abs %e : tensor<5x16x64xf32>
  %7 = stablehlo.concatenate %6, %f, dim = 0 : (tensor<5x16x64xf32>, tensor<3x16x64xf32>) -> tensor<8x16x64xf32>
  %8 = stablehlo.concatenate %f, %e, dim = 0 : (tensor<3x16x64xf32>, tensor<5x16x64xf32>) -> tensor<8x16x64xf32>
  %9 = stablehlo.add %7, %8 : tensor<8x16x64xf32>
  %10 = stablehlo.reshape %9 : (tensor<8x16x64xf32>) -> tensor<8x1024xf32>
  %11 = stablehlo.reshape %8 : (tensor<8x16x64xf32>) -> tensor<8x1024xf32>
  %12 = stablehlo.sine %11 : tensor<8x1024xf32>
  // Three columns and thirty.
  %13 = stablehlo.concatenate %g, %h, dim = 1 : (tensor<16x3xf32>, tensor<16x30xf32>) -> tensor<16x33xf32>
  // A transpose in between.
  %14 = stablehlo.concatenate %a, %d, dim = 1 : (tensor<16x64xf32>, tensor<16x96xf32>) -> tensor<16x160xf32>
  %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<16x160xf32>) -> tensor<160x16xf32>
  return %5, %10, %12, %13, %15 : tensor<16x256xf32>, tensor<8x1024xf32>, tensor<8x1024xf32>, tensor<16x33xf32>, tensor<160x16xf32>
}
