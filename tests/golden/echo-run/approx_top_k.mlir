// JAX's approximate top_k, which is exact here, and XLA's own of rows: the comparison is a function that the call names.
// RUN: echo-run --no-cache %s | FileCheck %s
// RUN: echo-run --device=interpreter %s | FileCheck %s
// CHECK: res0 = [7, 5, 4]
// CHECK: res1 = [1, 3, 0]
// CHECK: res2 = [7, 5]
// CHECK: res3 = [1, 3]
func.func @comparison(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main() -> (tensor<3xf32>, tensor<3xi32>, tensor<2xf32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[4.0, 7.0, 1.0, 5.0]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %least, %none) {called_computations = [@comparison], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  %1 = stablehlo.custom_call @TopK(%x) {called_computations = [@comparison]} : (tensor<4xf32>) -> tuple<tensor<2xf32>, tensor<2xi32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xf32>, tensor<2xi32>>) -> tensor<2xf32>
  %3 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2xf32>, tensor<2xi32>>) -> tensor<2xi32>
  return %0#0, %0#1, %2, %3 : tensor<3xf32>, tensor<3xi32>, tensor<2xf32>, tensor<2xi32>
}
