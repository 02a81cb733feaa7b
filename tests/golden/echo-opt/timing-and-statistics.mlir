// RUN: echo-opt %s --cse --mlir-timing --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck-19 %s

// CHECK: ... Execution time report ...
// CHECK: Total Execution Time: {{[0-9.]+}} seconds
// CHECK: ----Wall Time----  ----Name----
// CHECK: {{[0-9.]+ .*%\)  cse}}
// CHECK: (100.0%)  Total
// CHECK: ... Pass statistics report ...
// CHECK: 'builtin.module' Pipeline
// CHECK: cse
// CHECK: (S) {{ *}}1 {{.*}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.abs %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
