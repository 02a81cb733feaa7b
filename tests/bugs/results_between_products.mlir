// Two products in one kernel, with more results of the rows between them than a word has bits: the kernel had no lowering.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-5 --atol=1e-5 --kernels --json=%t/kernels.json
// RUN: FileCheck %s < %t/kernels.json
// CHECK:     "kernel": "contraction_0"
// CHECK-NOT: "kernel"
func.func @main(%a: tensor<8x8xf32>, %w: tensor<8x16xf32>, %x: tensor<8x16xf32>, %v: tensor<16x4xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x4xf32>) {
  %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %r0 = stablehlo.add %b, %x : tensor<8x16xf32>
  %r1 = stablehlo.add %r0, %x : tensor<8x16xf32>
  %r2 = stablehlo.add %r1, %x : tensor<8x16xf32>
  %r3 = stablehlo.add %r2, %x : tensor<8x16xf32>
  %r4 = stablehlo.add %r3, %x : tensor<8x16xf32>
  %r5 = stablehlo.add %r4, %x : tensor<8x16xf32>
  %r6 = stablehlo.add %r5, %x : tensor<8x16xf32>
  %r7 = stablehlo.add %r6, %x : tensor<8x16xf32>
  %r8 = stablehlo.add %r7, %x : tensor<8x16xf32>
  %r9 = stablehlo.add %r8, %x : tensor<8x16xf32>
  %r10 = stablehlo.add %r9, %x : tensor<8x16xf32>
  %r11 = stablehlo.add %r10, %x : tensor<8x16xf32>
  %r12 = stablehlo.add %r11, %x : tensor<8x16xf32>
  %r13 = stablehlo.add %r12, %x : tensor<8x16xf32>
  %r14 = stablehlo.add %r13, %x : tensor<8x16xf32>
  %r15 = stablehlo.add %r14, %x : tensor<8x16xf32>
  %r16 = stablehlo.add %r15, %x : tensor<8x16xf32>
  %r17 = stablehlo.add %r16, %x : tensor<8x16xf32>
  %r18 = stablehlo.add %r17, %x : tensor<8x16xf32>
  %r19 = stablehlo.add %r18, %x : tensor<8x16xf32>
  %r20 = stablehlo.add %r19, %x : tensor<8x16xf32>
  %r21 = stablehlo.add %r20, %x : tensor<8x16xf32>
  %r22 = stablehlo.add %r21, %x : tensor<8x16xf32>
  %r23 = stablehlo.add %r22, %x : tensor<8x16xf32>
  %r24 = stablehlo.add %r23, %x : tensor<8x16xf32>
  %r25 = stablehlo.add %r24, %x : tensor<8x16xf32>
  %r26 = stablehlo.add %r25, %x : tensor<8x16xf32>
  %r27 = stablehlo.add %r26, %x : tensor<8x16xf32>
  %r28 = stablehlo.add %r27, %x : tensor<8x16xf32>
  %r29 = stablehlo.add %r28, %x : tensor<8x16xf32>
  %r30 = stablehlo.add %r29, %x : tensor<8x16xf32>
  %r31 = stablehlo.add %r30, %x : tensor<8x16xf32>
  %r32 = stablehlo.add %r31, %x : tensor<8x16xf32>
  %y = stablehlo.dot_general %r32, %v, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %y : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x4xf32>
}
