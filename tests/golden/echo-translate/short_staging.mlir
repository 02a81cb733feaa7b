// What a task packs of tiny products, three by three with a vector, goes through registers: loops of a few passes, no power of two of them, that only move
// elements to or from the task's own memory become no masked vectors, which would keep it in memory. Columns that a product does not have take no lanes.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %s --emit=llvm --cpu=x86-64-v4 | FileCheck %s
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/out.npz
// RUN: echo-run %s --no-cache --quiet --expect=%t/out.npz

// CHECK-LABEL: define void @contraction_0.0(
// CHECK-NOT:   alloca
// CHECK-NOT:   masked
// CHECK:       call <1 x float> @llvm.fma.v1f32
// CHECK-NOT:   masked
// CHECK:       ret void
func.func @main(%a: tensor<500x3x3xf32>, %b: tensor<500x3xf32>) -> tensor<500x3xf32> {
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<500x3x3xf32>, tensor<500x3xf32>) -> tensor<500x3xf32>
  return %r : tensor<500x3xf32>
}
