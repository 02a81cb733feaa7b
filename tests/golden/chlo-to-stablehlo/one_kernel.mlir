// RUN: echo-opt %s --to=planned | FileCheck %s

// Of what the error functions are computed by nothing is stored: each is one kernel.
// CHECK: plan.temp_bytes = 0
// CHECK-COUNT-3: "kernel.launch"
// CHECK-NOT: "kernel.launch"
func.func @main(%a: tensor<64x256xf32>, %b: tensor<32x256xbf16>, %c: tensor<16x256xf16>) -> (tensor<64x256xf32>, tensor<32x256xbf16>, tensor<16x256xf16>) {
  %0 = chlo.erf %a : tensor<64x256xf32> -> tensor<64x256xf32>
  %1 = chlo.erfc %b : tensor<32x256xbf16> -> tensor<32x256xbf16>
  %2 = chlo.erf_inv %c : tensor<16x256xf16> -> tensor<16x256xf16>
  return %0, %1, %2 : tensor<64x256xf32>, tensor<32x256xbf16>, tensor<16x256xf16>
}
