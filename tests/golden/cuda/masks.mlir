// Masks are bytes: a thread has as many neighbours as fill 16 bytes of the widest type, so that lanes side by side read and write side by side, and bytes alone are written as words, four at once.
// What all rows share each block reads again: where blocks are many, a block has more of the rows.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %s --emit=ptx --target=sm_90 | FileCheck %s
// CHECK-LABEL: .entry map_0__0(
// CHECK-COUNT-3: ld.global.nc.v4.f32
// CHECK:       st.global.u32
// CHECK:       st.global.v4.f32
// CHECK-LABEL: .entry map_1__0(
// CHECK-COUNT-2: ld.global.nc.v2.u32
// CHECK-NOT:   ld.global
// CHECK:       st.global.v2.u32
// CHECK-NOT:   st.global
// CHECK:       ret;
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --kernels --expect=%t/want.npz --rtol=1e-5 --atol=1e-6 --json=%t/figures.json
// RUN: python3 -c "import json; k = json.load(open('%t/figures.json'))['kernels']; assert all(x['bytes'] < 1.06 * x['floor_bytes'] and x['sector_use'] > 0.98 for x in k if x['bytes'] > 10000), k; assert max(x['blocks'] for x in k) == 1024, k"
func.func @main(%x: tensor<16384x128xf32>, %r: tensor<16384x128xf32>, %v: tensor<128xf32>, %a: tensor<512x512xi1>, %b: tensor<512x512xi1>) -> (tensor<16384x128xf32>, tensor<16384x128xi1>, tensor<512x512xi1>) {
  %q = stablehlo.rsqrt %v : tensor<128xf32>
  %s = stablehlo.broadcast_in_dim %q, dims = [1] : (tensor<128xf32>) -> tensor<16384x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<16384x128xf32>
  %0 = stablehlo.multiply %x, %s : tensor<16384x128xf32>
  %1 = stablehlo.add %0, %r : tensor<16384x128xf32>
  %2 = stablehlo.compare GT, %1, %zero : (tensor<16384x128xf32>, tensor<16384x128xf32>) -> tensor<16384x128xi1>
  %3 = stablehlo.maximum %1, %zero : tensor<16384x128xf32>
  %4 = stablehlo.xor %a, %b : tensor<512x512xi1>
  return %3, %2, %4 : tensor<16384x128xf32>, tensor<16384x128xi1>, tensor<512x512xi1>
}
