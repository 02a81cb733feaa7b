// MHLO, from which StableHLO came, in the forms that JAX, TensorFlow and XLA wrote: ops, attributes and types of it are read as StableHLO's; discardable attributes keep their names, a copy is a barrier, functions that StableHLO left to CHLO are CHLO's, and another op that StableHLO does not have is unknown.
// RUN: split-file %s %t
// RUN: echo-opt %t/ops.mlir | FileCheck %s
// RUN: echo-opt %t/ops.mlir -o %t/out.mlir && echo-opt %t/out.mlir | diff %t/out.mlir -
// RUN: echo-run --no-cache %t/run.mlir | FileCheck %s --check-prefix=VALUE
// RUN: not echo-opt %t/custom.mlir 2>&1 | FileCheck %s --check-prefix=CUSTOM
// RUN: not echo-opt %t/generic.mlir 2>&1 | FileCheck %s --check-prefix=GENERIC
// VALUE: res0 = [8, 0.5]
// CUSTOM: custom.mlir:2:8: error: 'mhlo.fusion' is read as 'stablehlo.fusion', which there is not
// RUN: echo-opt %t/functions.mlir | FileCheck %s --check-prefix=FUNCTION
// RUN: echo-run --no-cache %t/functions.mlir | FileCheck %s --check-prefix=TOP
// RUN: not echo-opt %t/least.mlir 2>&1 | FileCheck %s --check-prefix=LEAST
// TOP: res1 = {{.*}}0.7
// TOP: res2 = {{.*}}1, 3
// LEAST: error: 'chlo.top_k' op takes the largest elements: 'largest' must be true
// GENERIC: generic.mlir:2:8: error: 'mhlo.domain' is read as 'stablehlo.domain', which there is not

//--- ops.mlir
// CHECK-LABEL: module @all attributes {mhlo.num_partitions = 1 : i32}
module @all attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK: func.func @ops(%[[X:.*]]: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}
  func.func @ops(%x: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}, %w: tensor<3x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xui64>, %token: !mhlo.token) -> !mhlo.token {
    // CHECK: stablehlo.dot_general %[[X]], %{{.*}}, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST]
    %0 = "mhlo.dot_general"(%x, %w) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision HIGHEST>]} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1]
    %2 = mhlo.reduce(%0 init: %1) applies mhlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0]
    %3 = "mhlo.broadcast_in_dim"(%2) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<2xf32>) -> tensor<2x3xf32>
    // CHECK: stablehlo.compare GT, %{{.*}}, FLOAT
    %4 = mhlo.compare  GT, %0, %3,  FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    // CHECK: stablehlo.compare EQ
    %5 = "mhlo.compare"(%0, %3) {compare_type = #mhlo<comparison_type FLOAT>, comparison_direction = #mhlo<comparison_direction EQ>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    // CHECK: stablehlo.while(
    // CHECK: cond {
    // CHECK: stablehlo.return
    // CHECK: do {
    %6:2 = mhlo.while(%a = %1, %b = %3) : tensor<f32>, tensor<2x3xf32>
     cond {
      %c = mhlo.compare  LT, %a, %1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %c : tensor<i1>
    } do {
      %c = mhlo.tanh %b : tensor<2x3xf32>
      mhlo.return %a, %c : tensor<f32>, tensor<2x3xf32>
    }
    // CHECK: "stablehlo.gather"({{.*}}dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
    %7 = "mhlo.gather"(%x, %i) {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 3]> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY
    %8, %9 = "mhlo.rng_bit_generator"(%s) {rng_algorithm = #mhlo.rng_algorithm<THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    // CHECK: %[[COPY:.*]] = stablehlo.optimization_barrier %[[X]]
    // CHECK-NEXT: stablehlo.optimization_barrier %[[COPY]]
    %copy = "mhlo.copy"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %again = mhlo.copy %copy : tensor<2x3xf32>
    // CHECK: stablehlo.after_all %{{.*}} : !stablehlo.token
    %10 = mhlo.after_all %token : !mhlo.token
    return %10 : !mhlo.token
  }
}

//--- functions.mlir
// FUNCTION-LABEL: func.func @main
func.func @main() -> (tensor<4xf32>, tensor<2xf32>, tensor<2xi32>) {
  %x = mhlo.constant dense<[0.25, 0.75, -0.5, 0.5]> : tensor<4xf32>
  // FUNCTION: chlo.erf %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %0 = mhlo.erf %x : tensor<4xf32>
  // FUNCTION-NEXT: chlo.asin %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %1 = "mhlo.asin"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // FUNCTION-NEXT: chlo.cosh
  %2 = mhlo.cosh %1 {result_accuracy = #mhlo.result_accuracy<mode = #mhlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32>
  // FUNCTION-NEXT: chlo.acosh
  %3 = mhlo.acosh %2 : tensor<4xf32>
  // FUNCTION: chlo.top_k(%{{.*}}, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %4:2 = mhlo.topk(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  // FUNCTION-NEXT: chlo.top_k(%{{.*}}, k = 2)
  %5:2 = mhlo.topk(%x, k = 2, largest = true) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  // FUNCTION-NEXT: chlo.top_k(%{{.*}}, k = 2)
  %6:2 = "mhlo.topk"(%x) {k = 2 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %3, %5#0, %6#1 : tensor<4xf32>, tensor<2xf32>, tensor<2xi32>
}

//--- least.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0:2 = mhlo.topk(%x, k = 2, largest = false) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}

//--- run.mlir
func.func @main() -> tensor<2xf32> {
  %0 = mhlo.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %1 = mhlo.constant dense<2.0> : tensor<2xf32>
  %2 = mhlo.power %1, %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

//--- custom.mlir
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = mhlo.fusion %x : tensor<f32>
  return %0 : tensor<f32>
}

//--- generic.mlir
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "mhlo.domain"(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
