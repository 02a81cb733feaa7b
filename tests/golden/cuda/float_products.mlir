// Products of floats: operands that lie in memory as they are multiplied are copied past the registers, 16 bytes at once where neighbours along the tile lie side by side, one by one where
// they run along k; ragged edges of all three extents, transposed operands, batches, views, one of f64, one that is widened on the way. Below sm_80 all of it goes through registers, to the same bits.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=2e-5 --atol=1e-6 --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-opt %s --to=loops --target=sm_75 -o %t/old.mlir
// RUN: echo-run %t/old.mlir --device=cuda --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['launches'] and x['kind'] == 'contraction']; assert len(k) == 8 and all(x['bank_conflicts'] == 0 for x in k), k"
// RUN: echo-opt %s --to=loops --target=sm_80 --mlir-print-op-generic > %t/1.mlir && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t/1.mlir > %t/2.mlir && cmp %t/1.mlir %t/2.mlir
// REQUIRES: mlir-opt-19
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s
// RUN: echo-translate %s --emit=ptx --target=sm_75 | FileCheck %s --check-prefix=OLD
// OLD-NOT: cp.async

// The constant part of each address stands in the instruction.
// CHECK-LABEL: .entry contraction_0__0(
// CHECK:       cp.async.ca.shared.global [%{{.*}}+0], [%{{.*}}+0], 4;
// CHECK:       cp.async.wait_group
// CHECK-NEXT:  bar.sync
// CHECK:       ld.shared.f32
// CHECK:       fma.rn
// CHECK-LABEL: .entry contraction_1__0(
func.func @main(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>, %c: tensor<37x50xf32>, %d: tensor<50x45xf32>, %e: tensor<3x40x24xf32>, %f: tensor<3x52x24xf32>, %g: tensor<33x20xf64>, %h: tensor<20x34xf64>, %i: tensor<40x36xbf16>, %j: tensor<36x31xf32>) -> (tensor<128x128xf32>, tensor<64x64xf32>, tensor<37x45xf32>, tensor<3x40x52xf32>, tensor<3x24x24xf32>, tensor<33x34xf64>, tensor<40x31xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<37x50xf32>, tensor<50x45xf32>) -> tensor<37x45xf32>
  %3 = stablehlo.dot_general %e, %f, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x40x24xf32>, tensor<3x52x24xf32>) -> tensor<3x40x52xf32>
  %4 = stablehlo.dot_general %e, %e, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x40x24xf32>, tensor<3x40x24xf32>) -> tensor<3x24x24xf32>
  %5 = stablehlo.dot_general %g, %h, contracting_dims = [1] x [0] : (tensor<33x20xf64>, tensor<20x34xf64>) -> tensor<33x34xf64>
  %6 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<40x36xbf16>, tensor<36x31xf32>) -> tensor<40x31xf32>
  %7 = stablehlo.reshape %c : (tensor<37x50xf32>) -> tensor<2x925xf32>
  %8 = stablehlo.dot_general %7, %7, contracting_dims = [1] x [1] : (tensor<2x925xf32>, tensor<2x925xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %8 : tensor<128x128xf32>, tensor<64x64xf32>, tensor<37x45xf32>, tensor<3x40x52xf32>, tensor<3x24x24xf32>, tensor<33x34xf64>, tensor<40x31xf32>, tensor<2x2xf32>
}
