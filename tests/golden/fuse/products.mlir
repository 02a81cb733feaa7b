// Where a target's products are loops of ours, as a GPU's are, one stands in the kernel of what maps its elements, place by place. On a CPU, where a library makes some of them, none does.
// RUN: echo-opt --pass-pipeline='builtin.module(fuse{target=sm_80})' %s | FileCheck %s
// RUN: echo-opt --pass-pipeline='builtin.module(fuse)' %s | FileCheck %s --check-prefix=CPU
// RUN: not echo-opt --pass-pipeline='builtin.module(fuse{target=sm_1})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not echo-opt --pass-pipeline='builtin.module(schedule{target=sm_1})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not echo-opt --pass-pipeline='builtin.module(echo{target=sm_1})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: products.mlir:{{[0-9]+:[0-9]+}}: error: 'sm_1' is no target: cpu,

// CPU-NOT: kind = "contraction"{{.*}}tensor<8xf32>

// The last map takes both the product and the bias; what others read is written beside.
// CHECK:      kind = "contraction", sym_name = "[[EPILOGUE:.*]]"
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   stablehlo.dot_general
// CHECK-NEXT:   stablehlo.broadcast_in_dim
// CHECK-NEXT:   %[[SUM:.*]] = stablehlo.add
// CHECK-NEXT:   %[[OUT:.*]] = stablehlo.tanh
// CHECK-NEXT:   "kernel.return"(%[[SUM]], %[[OUT]])
// CPU:        kind = "contraction"
// CPU-NEXT:   ^bb0
// CPU-NEXT:     stablehlo.dot_general
// CPU-NEXT:     "kernel.return"
func.func @bias(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %b: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  %3 = stablehlo.tanh %2 : tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Of two products one; the other is read as any operand.
// CHECK:      kind = "contraction", sym_name = "[[ALONE:.*]]"
// CHECK-NEXT: ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>):
// CHECK-NEXT:   stablehlo.dot_general
// CHECK-NEXT:   "kernel.return"
// CHECK:      kind = "contraction"
// CHECK-NEXT: ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<4x8xf32>):
// CHECK-NEXT:   stablehlo.dot_general
// CHECK-NEXT:   stablehlo.add
func.func @two(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Read at another place, by a sum of columns, or by a map that also reads across: a kernel of its own.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NEXT:    "kernel.call"({{.*}}) <{callee = @[[ALONE]]}>
// CHECK-NEXT:    "kernel.call"
func.func @elsewhere(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
// CHECK-LABEL: func.func @columns
// CHECK-NEXT:    "kernel.call"({{.*}}) <{callee = @[[ALONE]]}>
// CHECK-NEXT:    "kernel.call"
func.func @columns(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK-LABEL: func.func @across
// CHECK-NEXT:    "kernel.call"({{.*}}) <{callee = @[[ALONE]]}>
// CHECK-NEXT:    "kernel.call"
func.func @across(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %y: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.transpose %y, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// Sums of its rows, and what is made of them, stand behind it.
// CHECK:      kind = "contraction"
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   stablehlo.constant
// CHECK-NEXT:   stablehlo.dot_general
// CHECK-NEXT:   stablehlo.tanh
// CHECK-NEXT:   stablehlo.reduce
// CHECK:        stablehlo.divide
// CHECK-NEXT:   "kernel.return"
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    "kernel.call"
// CHECK-NEXT:    return
func.func @rows(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.divide %1, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
// Rows that no block's shared memory holds, and those that few blocks would make while the chip idles.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-2: "kernel.call"
func.func @wide(%x: tensor<4096x64xf32>, %w: tensor<64x1024xf32>) -> tensor<4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x1024xf32>) -> tensor<4096x1024xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  return %1 : tensor<4096xf32>
}
// CHECK-LABEL: func.func @few
// CHECK-COUNT-2: "kernel.call"
func.func @few(%x: tensor<64x64xf32>, %w: tensor<64x256xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
