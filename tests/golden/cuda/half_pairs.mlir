// Floats that become halves side by side are rounded two at a time where the target can, the first one into the lower half, and to the same bits as one by one.
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s
// RUN: echo-translate %s --emit=ptx --target=sm_75 | FileCheck %s --check-prefix=OLD
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t.npz --rtol=0 --atol=0
// CHECK-LABEL: .entry map_0__0(
// CHECK-NOT:   cvt.rn.f16.f32
// CHECK:       cvt.rn.f16x2.f32
// CHECK-NOT:   cvt.rn.f16.f32
// CHECK-LABEL: .entry map_1__0(
// CHECK:       cvt.rn.bf16x2.f32
// OLD-NOT:     x2.f32
func.func @main(%x: tensor<64x16xf32>) -> (tensor<64x16xf16>, tensor<32x16xbf16>) {
  %f = stablehlo.add %x, %x : tensor<64x16xf32>
  %0 = stablehlo.convert %f : (tensor<64x16xf32>) -> tensor<64x16xf16>
  %s = stablehlo.slice %x [1:33, 0:16] : (tensor<64x16xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.convert %s : (tensor<32x16xf32>) -> tensor<32x16xbf16>
  return %0, %1 : tensor<64x16xf16>, tensor<32x16xbf16>
}
