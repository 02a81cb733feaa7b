// RUN: echo-opt %s --print-op-stats -o /dev/null 2>&1 | FileCheck %s

// CHECK:      Operations encountered:
// CHECK-NEXT: -----------------------
// CHECK-NEXT:   builtin.module , 1
// CHECK-NEXT:      func.func   , 2
// CHECK-NEXT:      func.return , 2
// CHECK-NEXT: stablehlo.add    , 3
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
