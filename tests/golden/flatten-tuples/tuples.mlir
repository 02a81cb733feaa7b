// RUN: echo-opt %s --flatten-tuples | FileCheck %s
// Functions and calls hand over the tensors in their tuples, nested ones too; whoever shared memory still does.

// CHECK-LABEL: func private @swap(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>)
// CHECK-NEXT: return %[[C]], %[[B]], %[[A]]
func.func private @swap(%t: tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>) -> tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>> {
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>) -> tensor<8xf32>
  %i = stablehlo.get_tuple_element %t[1] : (tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>) -> tuple<tensor<4xf32>, tensor<8xf32>>
  %b = stablehlo.get_tuple_element %i[0] : (tuple<tensor<4xf32>, tensor<8xf32>>) -> tensor<4xf32>
  %c = stablehlo.get_tuple_element %i[1] : (tuple<tensor<4xf32>, tensor<8xf32>>) -> tensor<8xf32>
  %j = stablehlo.tuple %b, %a : tuple<tensor<4xf32>, tensor<8xf32>>
  %r = stablehlo.tuple %c, %j : tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>
  return %r : tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>
}

// Result 1 was the second one: it stands behind three tensors now.
// CHECK-LABEL: func @main(
// CHECK-SAME: tensor<8xf32> {tf.aliasing_output = 0 : i32},
// CHECK-SAME: tensor<4xf32> {tf.aliasing_output = 1 : i32},
// CHECK-SAME: tensor<8xf32> {tf.aliasing_output = 2 : i32},
// CHECK-SAME: tensor<8xf32> {tf.aliasing_output = 3 : i32}) -> (tensor<8xf32> {jax.result_info = "state"}, tensor<4xf32> {jax.result_info = "state"}, tensor<8xf32> {jax.result_info = "state"}, tensor<8xf32>) {
func.func @main(%state: tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>> {tf.aliasing_output = 0 : i32}, %w: tensor<8xf32> {tf.aliasing_output = 1 : i32})
    -> (tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>> {jax.result_info = "state"}, tensor<8xf32>) {
  // CHECK-NEXT: %[[T:.*]]:3 = call @swap(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>)
  %0 = func.call @swap(%state) : (tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>) -> tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>
  %x = stablehlo.get_tuple_element %0[0] : (tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>) -> tensor<8xf32>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[T]]#0, %{{.*}}
  %y = stablehlo.add %x, %w : tensor<8xf32>
  // CHECK-NEXT: return %[[T]]#0, %[[T]]#1, %[[T]]#2, %[[Y]]
  return %0, %y : tuple<tensor<8xf32>, tuple<tensor<4xf32>, tensor<8xf32>>>, tensor<8xf32>
}

// An empty tuple is nothing; a single one of a tensor, which counts its results itself already.
// CHECK-LABEL: func @single(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<8xf32>, tensor<8xf32>)
func.func @single(%none: tuple<>, %x: tensor<8xf32> {tf.aliasing_output = 1 : i32}) -> tuple<tensor<8xf32>, tensor<8xf32>> {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[X]]
  %n = stablehlo.negate %x : tensor<8xf32>
  %t = stablehlo.tuple %x, %n : tuple<tensor<8xf32>, tensor<8xf32>>
  // CHECK-NEXT: return %[[X]], %[[N]]
  return %t : tuple<tensor<8xf32>, tensor<8xf32>>
}

// A custom call of one tuple is an older form of one of several values.
// CHECK-LABEL: func @foreign
func.func @foreign(%x: tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<8xf32>> {
  // CHECK: %[[T:.*]]:2 = stablehlo.custom_call @pair(%{{.*}}) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %t = stablehlo.custom_call @pair(%x) : (tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<8xf32>>
  // CHECK-NEXT: return %[[T]]#0, %[[T]]#1
  return %t : tuple<tensor<8xf32>, tensor<8xf32>>
}
