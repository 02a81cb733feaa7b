// RUN: echo-opt %s --schedule=order=demand | FileCheck %s --check-prefix=DEMAND
// RUN: echo-opt %s --schedule=order=update | FileCheck %s --check-prefix=DEMAND
// RUN: echo-opt %s --schedule=order=through | FileCheck %s --check-prefix=THROUGH

// Two heads. The product of the values is far from where it is needed (slices stand in between), so that one that takes less room seems
// to come first: by demand both heads' scores stand before it. Through the slices the first head's last operand is seen to be missing.
// DEMAND-COUNT-2: exponential {{.*}} tensor<64x64xf32>
// DEMAND:         dot_general {{.*}}%arg3
// DEMAND-COUNT-2: (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>

// THROUGH:        exponential {{.*}} tensor<64x64xf32>
// THROUGH-NOT:    exponential
// THROUGH:        dot_general {{.*}}%arg3
// THROUGH-NOT:    exponential
// THROUGH:        (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
// THROUGH:        exponential {{.*}} tensor<64x64xf32>
// THROUGH:        (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
func.func @main(%x: tensor<64x16xf32>, %q: tensor<16x16xf32>, %k: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %0 = stablehlo.tanh %x : tensor<64x16xf32>
  %1 = stablehlo.tanh %0 : tensor<64x16xf32>
  %2 = stablehlo.tanh %1 : tensor<64x16xf32>
  %3 = stablehlo.tanh %2 : tensor<64x16xf32>
  %4 = stablehlo.tanh %3 : tensor<64x16xf32>
  %5 = stablehlo.tanh %4 : tensor<64x16xf32>
  %6 = stablehlo.tanh %5 : tensor<64x16xf32>
  %7 = stablehlo.tanh %6 : tensor<64x16xf32>
  %8 = stablehlo.tanh %7 : tensor<64x16xf32>
  %9 = stablehlo.tanh %8 : tensor<64x16xf32>
  %10 = stablehlo.tanh %9 : tensor<64x16xf32>
  %11 = stablehlo.tanh %10 : tensor<64x16xf32>
  %12 = stablehlo.tanh %11 : tensor<64x16xf32>
  %13 = stablehlo.tanh %12 : tensor<64x16xf32>
  %14 = stablehlo.tanh %13 : tensor<64x16xf32>
  %15 = stablehlo.tanh %14 : tensor<64x16xf32>
  %16 = stablehlo.tanh %15 : tensor<64x16xf32>
  %17 = stablehlo.tanh %16 : tensor<64x16xf32>
  %18 = stablehlo.tanh %17 : tensor<64x16xf32>
  %19 = stablehlo.tanh %18 : tensor<64x16xf32>
  %20 = stablehlo.tanh %19 : tensor<64x16xf32>
  %21 = stablehlo.tanh %20 : tensor<64x16xf32>
  %22 = stablehlo.tanh %21 : tensor<64x16xf32>
  %23 = stablehlo.tanh %22 : tensor<64x16xf32>
  %24 = stablehlo.tanh %23 : tensor<64x16xf32>
  %25 = stablehlo.tanh %24 : tensor<64x16xf32>
  %26 = stablehlo.tanh %25 : tensor<64x16xf32>
  %27 = stablehlo.tanh %26 : tensor<64x16xf32>
  %28 = stablehlo.tanh %27 : tensor<64x16xf32>
  %29 = stablehlo.tanh %28 : tensor<64x16xf32>
  %30 = stablehlo.tanh %29 : tensor<64x16xf32>
  %31 = stablehlo.tanh %30 : tensor<64x16xf32>
  %32 = stablehlo.tanh %31 : tensor<64x16xf32>
  %wv = stablehlo.dot_general %32, %v, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %wq = stablehlo.dot_general %32, %q, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %wk = stablehlo.dot_general %32, %k, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %q0 = stablehlo.slice %wq [0:64, 0:8] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %k0 = stablehlo.slice %wk [0:64, 0:8] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %v0 = stablehlo.slice %wv [0:64, 0:8] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %q1 = stablehlo.slice %wq [0:64, 8:16] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %k1 = stablehlo.slice %wk [0:64, 8:16] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %v1 = stablehlo.slice %wv [0:64, 8:16] : (tensor<64x16xf32>) -> tensor<64x8xf32>
  %s0 = stablehlo.dot_general %q0, %k0, contracting_dims = [1] x [1] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x64xf32>
  %s1 = stablehlo.dot_general %q1, %k1, contracting_dims = [1] x [1] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x64xf32>
  %p0 = stablehlo.exponential %s0 : tensor<64x64xf32>
  %p1 = stablehlo.exponential %s1 : tensor<64x64xf32>
  %o0 = stablehlo.dot_general %p0, %v0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %o1 = stablehlo.dot_general %p1, %v1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %o0, %o1 : tensor<64x8xf32>, tensor<64x8xf32>
}
