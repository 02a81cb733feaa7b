// RUN: echo-opt --split-input-file --fuse --bufferize %s | FileCheck %s

// An updated parameter takes its own storage; the loss is written to a buffer that the caller provides.
// CHECK:       func.func @update(%[[W:.*]]: memref<8x8xf32> {tf.aliasing_output = 1 : i32}, %[[X:.*]]: memref<8x8xf32>, %[[L:.*]]: memref<8x8xf32> {plan.result = 0 : i32})
// CHECK-NEXT:    %[[ARENA:.*]] = "plan.arena"()
// CHECK-NEXT:    "kernel.launch"(%[[X]], %[[W]], %[[L]]) <{callee = @contraction_0, n_inputs = 2{{.*}}}>
// CHECK-NEXT:    %[[G:.*]] = "plan.buffer"(%[[ARENA]])
// CHECK-NEXT:    "kernel.launch"(%[[X]], %[[L]], %[[G]])
// CHECK-NEXT:    "kernel.launch"(%[[W]], %[[G]], %[[W]]) <{callee = @map_0
// CHECK-NEXT:    return
func.func @update(%w: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = stablehlo.subtract %w, %g : tensor<8x8xf32>
  return %y, %n : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The old value is read after the new one is made: the new one is kept apart and copied at the end.
// CHECK:       func.func @read_later(%[[W:.*]]: memref<8x8xf32> {{.*}}, %[[O:.*]]: memref<8x8xf32> {plan.result = 1 : i32})
// CHECK:         %[[N:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%[[W]], %[[N]])
// CHECK-NEXT:    "kernel.launch"(%[[N]], %[[W]], %[[O]])
// CHECK-NEXT:    "plan.copy"(%[[N]], %[[W]])
func.func @read_later(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %n = stablehlo.negate %w : tensor<8x8xf32>
  %o = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %n, %o : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Two arguments change places: one steps aside into the arena.
// CHECK:       func.func @swap(%[[A:.*]]: memref<4xf32> {{.*}}, %[[B:.*]]: memref<4xf32>
// CHECK:         %[[T:.*]] = "plan.buffer"
// CHECK-NEXT:    "plan.copy"(%[[B]], %[[T]])
// CHECK-NEXT:    "plan.copy"(%[[A]], %[[B]])
// CHECK-NEXT:    "plan.copy"(%[[T]], %[[A]])
// CHECK-NEXT:    return
func.func @swap(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// A value that dies is written over where element i is read for element i only; a transpose is not such a reader.
// CHECK:       func.func @in_place
// CHECK:         %[[P:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%arg0, %[[P]])
// CHECK-NEXT:    "kernel.launch"(%[[P]], %arg0, %[[P]]) <{callee = @map_0
// CHECK-NEXT:    %[[Q:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%[[P]], %arg0, %[[Q]]) <{callee = @contraction_1
// CHECK-NEXT:    "kernel.launch"(%[[Q]], %arg0, %arg1) <{callee = @transpose_0
func.func @in_place(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = stablehlo.add %p, %x : tensor<8x8xf32>
  %r = stablehlo.dot_general %q, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = stablehlo.transpose %r, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = stablehlo.multiply %t, %x : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

// Loops carry in fixed buffers; the flag and what the body makes live in the arena.
// CHECK:       func.func @loop(%[[N:.*]]: memref<i32>, %[[X:.*]]: memref<4xf32>, %[[O:.*]]: memref<4xf32> {plan.result = 0 : i32})
// CHECK:         %[[I:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%[[I]])
// CHECK-NEXT:    "plan.copy"(%[[X]], %[[O]])
// CHECK-NEXT:    "plan.while"(%[[I]], %[[O]]) ({
// CHECK-NEXT:      %[[F:.*]] = "plan.buffer"
// CHECK-NEXT:      "kernel.launch"(%[[I]], %[[N]], %[[F]])
// CHECK-NEXT:      "plan.condition"(%[[F]])
// CHECK-NEXT:    }, {
// CHECK-NEXT:      "kernel.launch"(%[[I]], %[[I]])
// CHECK-NEXT:      "kernel.launch"(%[[O]], %[[O]])
// CHECK-NEXT:      "plan.yield"()
func.func @loop(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %e = stablehlo.exponential %a : tensor<4xf32>
    stablehlo.return %j, %e : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// Both branches write the same buffer.
// CHECK:       func.func @branch(%[[P:.*]]: memref<i1>, %[[X:.*]]: memref<4xf32>, %[[O:.*]]: memref<4xf32>
// CHECK:         "plan.case"(%[[P]]) ({
// CHECK-NEXT:      "kernel.launch"(%[[X]], %[[O]])
// CHECK-NEXT:      "plan.yield"()
// CHECK-NEXT:    }, {
// CHECK-NEXT:      "plan.copy"(%[[X]], %[[O]])
// CHECK-NEXT:      "plan.yield"()
func.func @branch(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.if"(%p) ({
    %e = stablehlo.exponential %x : tensor<4xf32>
    stablehlo.return %e : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Large constants stand outside the arena; a reshape is a view.
// CHECK:       func.func @views
// CHECK:         %[[C:.*]] = "plan.constant"() <{value = dense<[0.000000e+00, {{.*}}]> : tensor<20xf32>}> : () -> memref<20xf32>
// CHECK-NEXT:    %[[V:.*]] = "plan.view"(%[[C]]) : (memref<20xf32>) -> memref<4x5xf32>
// CHECK-NEXT:    "kernel.launch"(%arg0, %[[V]], %arg1)
func.func @views(%x: tensor<3x4xf32>) -> tensor<3x5xf32> {
  %c = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0]> : tensor<20xf32>
  %v = stablehlo.reshape %c : (tensor<20xf32>) -> tensor<4x5xf32>
  %r = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

// The space of a result is free until it is written: what dies into the result stands there before, step by step back, and a loop begins there.
// CHECK:       func.func @result_space(%[[X:.*]]: memref<8x8xf32>, %[[L:.*]]: memref<8x8xf32> {plan.result = 0 : i32}, %[[R:.*]]: memref<8x8xf32> {plan.result = 1 : i32})
// CHECK:         "kernel.launch"(%[[L]]) <{callee = @map
// CHECK-NOT:     plan.copy
// CHECK:         "plan.while"({{.*}}, %[[L]])
// CHECK:         "kernel.launch"(%[[X]], %[[R]]) <{callee = @contraction_0
// CHECK:         "kernel.launch"(%[[R]], {{.*}}, %[[R]])
// CHECK-NEXT:    return
func.func @result_space(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %ones = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %l:2 = stablehlo.while(%i = %zero, %a = %ones) : tensor<i32>, tensor<8x8xf32>
   cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %e = stablehlo.exponential %a : tensor<8x8xf32>
    stablehlo.return %j, %e : tensor<i32>, tensor<8x8xf32>
  }
  %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = stablehlo.dot_general %d, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = stablehlo.add %d, %q : tensor<8x8xf32>
  return %l#1, %r : tensor<8x8xf32>, tensor<8x8xf32>
}
