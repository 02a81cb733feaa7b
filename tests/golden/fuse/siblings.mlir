// RUN: echo-opt --split-input-file --schedule --fuse --bufferize --plan-memory --verify-plan %s | FileCheck %s

// Fast and slow weights are made of each other: one kernel writes both over what it reads. As two, the first would write over what the
// second reads, and one of them would wait in the arena for a copy.
// CHECK:       func.func @fast_and_slow(%[[F:.*]]: memref<64xf32> {{.*}}, %[[S:.*]]: memref<64xf32> {{.*}}, %[[G:.*]]: memref<64xf32>)
// CHECK-NEXT:    "plan.arena"() <{alignment = 64 : i64, size_bytes = 0 : i64}>
// CHECK-NEXT:    "kernel.launch"(%[[F]], %[[G]], %[[S]], %[[F]], %[[S]])
// CHECK-NEXT:    return
func.func @fast_and_slow(%fast: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %slow: tensor<64xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %moved = stablehlo.subtract %fast, %g : tensor<64xf32>
  %ahead = stablehlo.subtract %moved, %slow : tensor<64xf32>
  %new_fast = stablehlo.multiply %ahead, %slow : tensor<64xf32>
  %new_slow = stablehlo.add %slow, %ahead : tensor<64xf32>
  return %new_fast, %new_slow : tensor<64xf32>, tensor<64xf32>
}

// -----

// What is read at other places cannot be written over in one kernel: two, the reader first.
// CHECK:       func.func @read_elsewhere(%[[A:.*]]: memref<64xf32> {{.*}}, %[[B:.*]]: memref<64xf32> {{.*}})
// CHECK-NEXT:    "plan.arena"() <{alignment = 64 : i64, size_bytes = 0 : i64}>
// CHECK-NEXT:    "kernel.launch"(%[[A]], %[[B]], %[[B]])
// CHECK-NEXT:    "kernel.launch"(%[[A]], %[[A]])
// CHECK-NEXT:    return
func.func @read_elsewhere(%a: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<64xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<64xf32>, tensor<64xf32>) {
  %turned = stablehlo.reverse %a, dims = [0] : tensor<64xf32>
  %new_b = stablehlo.add %turned, %b : tensor<64xf32>
  %new_a = stablehlo.negate %a : tensor<64xf32>
  return %new_a, %new_b : tensor<64xf32>, tensor<64xf32>
}
