// RUN: echo-opt %s --strip-debuginfo --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME:    (%{{.*}}: tensor<4xf32> loc(unknown))
// CHECK-NEXT:    stablehlo.tanh %{{.*}} : tensor<4xf32> loc(unknown)
// CHECK-NEXT:    return %{{.*}} : tensor<4xf32> loc(unknown)
// CHECK-NEXT:  } loc(unknown)
func.func @f(%x: tensor<4xf32> loc("argument")) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("activation")
  return %0 : tensor<4xf32>
}
