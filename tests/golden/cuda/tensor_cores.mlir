// Products of halves on tensor cores, constant parts of addresses in the instructions, results rounded two at a time: rows that lie along k and across it, copies of 16, 8 and 4 bytes and single elements, ragged edges, batches;
// sm_75 multiplies them in f32. Sums are in another order than the interpreter's: a bf16 next to a tie may be the next one, 2^-7 away.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=8e-3 --atol=1e-4 --kernels --json=%t/kernels.json
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s
// RUN: echo-translate %s --emit=ptx --target=sm_75 | FileCheck %s --check-prefix=OLD

// No bank is met twice.
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'contraction' and x['launches']]; assert len(k) == 9 and all(x['bank_conflicts'] == 0 for x in k)"

// RUN: echo-opt %s --to=loops --target=sm_80 --mlir-print-op-generic > %t/1.mlir && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t/1.mlir > %t/2.mlir && cmp %t/1.mlir %t/2.mlir

// CHECK-LABEL: .entry contraction_0__0(
// CHECK:       cp.async.cg.shared.global [%{{[a-z0-9]+}}+0], [%{{[a-z0-9]+}}+0], 16;
// CHECK:       cp.async.wait_group 0;
// CHECK:       bar.sync 0;
// CHECK:       cp.async.cg.shared.global
// CHECK:       ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}}, [%{{[a-z0-9]+}}+{{[1-9][0-9]*}}];
// CHECK:       ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK:       st.global.v2.f32
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK:       cvt.rn.bf16x2.f32
// OLD-NOT:     mma.sync
func.func @main(%a: tensor<96x128xbf16>, %b: tensor<128x64xbf16>, %c: tensor<50x36xf16>, %d: tensor<41x36xf16>, %e: tensor<3x70x34xbf16>,
                %f: tensor<3x70x22xbf16>, %g: tensor<33x7xf16>, %h: tensor<7x35xf16>, %i: tensor<2x40x3x8xbf16>, %j: tensor<2x8x3x24xbf16>)
    -> (tensor<96x64xf32>, tensor<50x41xf16>, tensor<3x34x22xbf16>, tensor<33x35xf32>, tensor<2x3x40x24xf32>, tensor<64x96xbf16>, tensor<40x16xf32>, tensor<34x34xbf16>, tensor<1x64xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<96x128xbf16>, tensor<128x64xbf16>) -> tensor<96x64xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [1] : (tensor<50x36xf16>, tensor<41x36xf16>) -> tensor<50x41xf16>
  %2 = stablehlo.dot_general %e, %f, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x70x34xbf16>, tensor<3x70x22xbf16>) -> tensor<3x34x22xbf16>
  %3 = stablehlo.dot_general %g, %h, contracting_dims = [1] x [0] : (tensor<33x7xf16>, tensor<7x35xf16>) -> tensor<33x35xf32>
  %4 = stablehlo.dot_general %i, %j, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x40x3x8xbf16>, tensor<2x8x3x24xbf16>) -> tensor<2x3x40x24xf32>
  %5 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [1] : (tensor<128x64xbf16>, tensor<96x128xbf16>) -> tensor<64x96xbf16>
  %7 = stablehlo.dot_general %i, %j, contracting_dims = [0, 2] x [0, 2] : (tensor<2x40x3x8xbf16>, tensor<2x8x3x24xbf16>) -> tensor<40x8x8x24xf32>
  %8 = stablehlo.dot_general %e, %e, contracting_dims = [0, 1] x [0, 1] : (tensor<3x70x34xbf16>, tensor<3x70x34xbf16>) -> tensor<34x34xbf16>
  %9 = stablehlo.slice %a [0:1, 0:128] : (tensor<96x128xbf16>) -> tensor<1x128xbf16>
  %10 = stablehlo.dot_general %9, %b, contracting_dims = [1] x [0] : (tensor<1x128xbf16>, tensor<128x64xbf16>) -> tensor<1x64xf32>
  %11 = stablehlo.slice %7 [0:40, 0:1, 0:1, 0:16] : (tensor<40x8x8x24xf32>) -> tensor<40x1x1x16xf32>
  %12 = stablehlo.reshape %11 : (tensor<40x1x1x16xf32>) -> tensor<40x16xf32>
  return %0, %1, %2, %3, %4, %5, %12, %8, %10 : tensor<96x64xf32>, tensor<50x41xf16>, tensor<3x34x22xbf16>, tensor<33x35xf32>, tensor<2x3x40x24xf32>, tensor<64x96xbf16>, tensor<40x16xf32>, tensor<34x34xbf16>, tensor<1x64xf32>
}
