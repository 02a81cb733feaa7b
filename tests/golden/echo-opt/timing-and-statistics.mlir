// RUN: echo-opt %s --cse --mlir-timing --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s

// CHECK: ... Pass statistics report ...
// CHECK: CSE
// CHECK-NEXT: (S) 1 num-cse'd - {{.*}}
// CHECK: ... Execution time report ...
// CHECK: Total Execution Time: {{[0-9.]+}} seconds
// CHECK: ----Wall Time----  ----Name----
// CHECK-NEXT: {{[0-9.]+ .*%\)  Parser}}
// CHECK-NEXT: {{[0-9.]+ .*%\)  CSE}}
// CHECK-NEXT: {{[0-9.]+ .*%\)  Output}}
// CHECK: (100.0%)  Total
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.abs %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
