// Products of f32 on tensor cores, operands rounded to tf32: those of default precision where --tf32 allows it, one whose algorithm asks for it always, those of precision HIGHEST and of algorithm f32 never.
// Rows that lie along k, as matrices, and across it, as words; copies of 16, 8 and 4 bytes; ragged edges, batches, small and large tiles. tf32.py says what each may be.
// RUN: rm -rf %t && mkdir %t
// RUN: python3 %S/tf32.py make %t/in.npz
// RUN: echo-run %s --device=cuda --tf32 --inputs=%t/in.npz --quiet --outputs=%t/out.npz --kernels --json=%t/kernels.json
// RUN: python3 %S/tf32.py check %t/in.npz %t/out.npz

// No bank is met twice, nine of eleven are on tensor cores.
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'contraction' and x['launches']]; assert len(k) == 11 and all(x['bank_conflicts'] == 0 and x['spill_bytes'] in (0, None) for x in k) and sum(x['tensor_flops'] != 0 for x in k) == 9, [(x['name'], x['tensor_flops']) for x in k]"

// Nothing else knows tf32: without the option only the algorithm does; neither a CPU nor sm_75.
// RUN: echo-run %s --device=interpreter --inputs=%t/in.npz --quiet --outputs=%t/want.npz
// RUN: echo-run %s --tf32 --no-cache --inputs=%t/in.npz --quiet --expect=%t/want.npz --rtol=1e-4 --atol=1e-4
// RUN: echo-translate %s --tf32 --emit=ptx --target=sm_80 | FileCheck %s
// RUN: echo-translate %s --tf32 --emit=ptx --target=sm_75 | FileCheck %s --check-prefix=OLD
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s --check-prefix=ONE
// RUN: echo-opt %s --tf32 --to=loops --target=sm_80 --mlir-print-op-generic > %t/1.mlir && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t/1.mlir > %t/2.mlir && cmp %t/1.mlir %t/2.mlir
// RUN: echo-translate %t/1.mlir --emit=ptx --target=sm_80 | FileCheck %s

// CHECK-LABEL: .entry contraction_0__0(
// CHECK:       cp.async.cg.shared.global
// CHECK:       ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%f
// CHECK:       cvt.rna.tf32.f32
// CHECK:       mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK:       ld.shared.v4.f32
// CHECK:       st.global.v4.f32
// OLD-NOT:     mma.sync
// ONE-COUNT-1: .entry contraction_3__0(
// ONE:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// ONE:         .entry contraction_4__0(
// ONE-NOT:     mma.sync
func.func @main(%a0: tensor<96x128xf32>, %a1: tensor<128x64xf32>, %a2: tensor<50x36xf32>, %a3: tensor<41x36xf32>, %a4: tensor<3x70x34xf32>, %a5: tensor<3x70x22xf32>, %a6: tensor<33x7xf32>, %a7: tensor<7x35xf32>, %a8: tensor<2x40x3x8xf32>, %a9: tensor<2x8x3x24xf32>, %a10: tensor<1000x20xf32>, %a11: tensor<20x776xf32>, %a12: tensor<1000x24xf32>, %a13: tensor<776x24xf32>, %a14: tensor<20x1000xf32>)
    -> (tensor<96x64xf32>, tensor<50x41xf32>, tensor<3x34x22xf32>, tensor<33x35xf32>, tensor<2x3x40x24xf32>, tensor<64x96xf32>, tensor<1000x776xf32>, tensor<1000x776xf32>, tensor<1000x776xf32>, tensor<96x64xf32>, tensor<96x64xf32>) {
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<96x128xf32>, tensor<128x64xf32>) -> tensor<96x64xf32>
  %1 = stablehlo.dot_general %a2, %a3, contracting_dims = [1] x [1] : (tensor<50x36xf32>, tensor<41x36xf32>) -> tensor<50x41xf32>
  %2 = stablehlo.dot_general %a4, %a5, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x70x34xf32>, tensor<3x70x22xf32>) -> tensor<3x34x22xf32>
  %3 = stablehlo.dot_general %a6, %a7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<33x7xf32>, tensor<7x35xf32>) -> tensor<33x35xf32>
  %4 = stablehlo.dot_general %a8, %a9, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x40x3x8xf32>, tensor<2x8x3x24xf32>) -> tensor<2x3x40x24xf32>
  %5 = stablehlo.dot_general %a1, %a0, contracting_dims = [0] x [1] : (tensor<128x64xf32>, tensor<96x128xf32>) -> tensor<64x96xf32>
  %6 = stablehlo.dot_general %a10, %a11, contracting_dims = [1] x [0] : (tensor<1000x20xf32>, tensor<20x776xf32>) -> tensor<1000x776xf32>
  %7 = stablehlo.dot_general %a12, %a13, contracting_dims = [1] x [1] : (tensor<1000x24xf32>, tensor<776x24xf32>) -> tensor<1000x776xf32>
  %8 = stablehlo.dot_general %a14, %a11, contracting_dims = [0] x [0] : (tensor<20x1000xf32>, tensor<20x776xf32>) -> tensor<1000x776xf32>
  %9 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<96x128xf32>, tensor<128x64xf32>) -> tensor<96x64xf32>
  %10 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<96x128xf32>, tensor<128x64xf32>) -> tensor<96x64xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<96x64xf32>, tensor<50x41xf32>, tensor<3x34x22xf32>, tensor<33x35xf32>, tensor<2x3x40x24xf32>, tensor<64x96xf32>, tensor<1000x776xf32>, tensor<1000x776xf32>, tensor<1000x776xf32>, tensor<96x64xf32>, tensor<96x64xf32>
}
