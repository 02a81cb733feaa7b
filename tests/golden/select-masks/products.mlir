// RUN: echo-opt %s --select-masks --dce | FileCheck %s
// RUN: echo-opt %s --select-masks --dce | echo-opt --verify-roundtrip --no-output
// RUN: echo-opt %s --select-masks --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: echo-opt %s --select-masks | echo-run - --device=interpreter --quiet --outputs=%t.npz
// RUN: echo-opt %s --select-masks | echo-run - --quiet --expect=%t.npz --rtol=0 --atol=0
// COUNT: (S) 2 products

// A product with a converted boolean on either side is a select; one with a converted number, or of integers, stays.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-DAG:     %[[INF:.*]] = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
// CHECK:         %[[A:.*]] = stablehlo.select %[[M:.*]], %[[INF]], %{{.*}} : tensor<3xi1>, tensor<3xf32>
// CHECK:         %[[B:.*]] = stablehlo.select %[[M]], %[[A]], %{{.*}} : tensor<3xi1>, tensor<3xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<3xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<3xi32>
func.func @main() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>) {
  %mask = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %numbers = stablehlo.constant dense<[1, 0, 2]> : tensor<3xi32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
  %factors = stablehlo.convert %mask : (tensor<3xi1>) -> tensor<3xf32>
  %left = stablehlo.multiply %factors, %inf : tensor<3xf32>
  %right = stablehlo.multiply %left, %factors : tensor<3xf32>
  %others = stablehlo.convert %numbers : (tensor<3xi32>) -> tensor<3xf32>
  %product = stablehlo.multiply %others, %right : tensor<3xf32>
  %ones = stablehlo.convert %mask : (tensor<3xi1>) -> tensor<3xi32>
  %count = stablehlo.multiply %ones, %numbers : tensor<3xi32>
  return %right, %product, %count : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>
}
