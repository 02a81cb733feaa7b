// The error functions of f32 are computed in f32 on a GPU, in fewer than a hundred instructions an element, and have a CPU's bits.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --quiet --seed=3 --outputs=%t/cpu.npz
// RUN: echo-run %s --quiet --seed=3 --device=cuda --expect=%t/cpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['launches']]; assert len(k) == 3; assert all(x['instructions_a_thread'] <= 100 * 8192 / x['threads'] for x in k), k"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s --implicit-check-not=.f64

// CHECK-COUNT-3: .entry
func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %z: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) {
  %erf = chlo.erf %x : tensor<64x128xf32> -> tensor<64x128xf32>
  %erfc = chlo.erfc %y : tensor<64x128xf32> -> tensor<64x128xf32>
  %inverse = chlo.erf_inv %z : tensor<64x128xf32> -> tensor<64x128xf32>
  return %erf, %erfc, %inverse : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>
}
