// What a dot's algorithm has rounded is converted: then both operands are halves. The interpreter rounds by itself, so that both give the same bits; one product of three that make up for it, tf32, and what is no wider stay.
// RUN: echo-opt %s --round-operands --mlir-pass-statistics 2>&1 | FileCheck %s
// RUN: echo-opt %s --round-operands --round-operands --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: echo-opt %s --round-operands -o %t.mlir
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t.npz
// RUN: echo-run %t.mlir --device=interpreter --quiet --expect=%t.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cpu --quiet --expect=%t.npz --rtol=1e-6 --atol=1e-6

// CHECK:       (S) 3 rounded
// AGAIN:       (S) 3 rounded
// AGAIN:       (S) 0 rounded

func.func @main(%arg0: tensor<6x8xf32>, %arg1: tensor<8x4xbf16>, %arg2: tensor<8x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  // CHECK:      %[[A:.*]] = stablehlo.convert %arg0 : (tensor<6x8xf32>) -> tensor<6x8xbf16>
  // CHECK-NEXT: stablehlo.dot_general %[[A]], %arg1, {{.*}} : (tensor<6x8xbf16>, tensor<8x4xbf16>) -> tensor<6x4xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<6x8xf32>, tensor<8x4xbf16>) -> tensor<6x4xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.convert %arg0 : (tensor<6x8xf32>) -> tensor<6x8xf16>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %arg2 : (tensor<8x4xf32>) -> tensor<8x4xf16>
  // CHECK-NEXT: stablehlo.dot_general %[[B]], %[[C]], {{.*}} : (tensor<6x8xf16>, tensor<8x4xf16>) -> tensor<6x4xf32>
  %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg2, {{.*}} num_primitive_operations = 3
  %2 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg2, {{.*}} algorithm = <lhs_precision_type = tf32
  %3 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
