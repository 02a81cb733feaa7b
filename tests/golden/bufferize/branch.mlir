// RUN: echo-opt --split-input-file --isolate-regions --schedule --fuse --bufferize --plan-memory --verify-plan %s | FileCheck %s

// A step that is skipped when a gradient is not finite: one branch hands the state on, the other updates it where it is. Zeros are written
// where they are asked for, each result its own.
// CHECK:       func.func @skip(%[[P:.*]]: memref<i1>, %[[W:.*]]: memref<64xf32> {{.*}}, %[[V:.*]]: memref<64xf32> {{.*}}, %[[G:.*]]: memref<64xf32>, %[[A:.*]]: memref<64xf32> {{.*}}, %[[B:.*]]: memref<64xf32> {plan.result = 3 : i32})
// CHECK-NEXT:    "plan.arena"
// CHECK-NEXT:    "plan.case"(%[[P]]) ({
// CHECK-NEXT:      "kernel.launch"(%[[B]])
// CHECK-NEXT:      "kernel.launch"(%[[A]])
// CHECK-NEXT:      "plan.yield"()
// CHECK-NEXT:    }, {
// CHECK-NEXT:      "kernel.launch"(%[[V]], %[[G]], %[[W]], %[[V]], %[[W]], %[[A]], %[[B]])
// CHECK-NOT:       plan.copy
// CHECK:           "plan.yield"()
func.func @skip(%p: tensor<i1>, %w: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<64xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<64xf32>
  %r:4 = "stablehlo.if"(%p) ({
    stablehlo.return %w, %v, %zero, %zero : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }, {
    %m = stablehlo.add %v, %g : tensor<64xf32>
    %n = stablehlo.subtract %w, %m : tensor<64xf32>
    %e = stablehlo.exponential %g : tensor<64xf32>
    %f = stablehlo.negate %g : tensor<64xf32>
    stablehlo.return %n, %m, %e, %f : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }) : (tensor<i1>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// A value of the arena that dies in the branches is taken over, here by the result that one of them makes over it.
// CHECK:       func.func @taken_over
// CHECK:         %[[D:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%arg1, %[[D]]) <{callee = @contraction_0
// CHECK-NEXT:    "plan.case"(%arg0) ({
// CHECK-NEXT:      "kernel.launch"(%[[D]], %[[D]])
// CHECK-NEXT:      "plan.yield"()
// CHECK-NEXT:    }, {
// CHECK-NEXT:      "kernel.launch"(%[[D]])
// CHECK-NEXT:      "plan.yield"()
// CHECK-NEXT:    })
// CHECK-NEXT:    "kernel.launch"(%[[D]], %arg1, %arg2) <{callee = @contraction_1
func.func @taken_over(%p: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = "stablehlo.if"(%p) ({
    %e = stablehlo.exponential %d : tensor<8x8xf32>
    stablehlo.return %e : tensor<8x8xf32>
  }, {
    stablehlo.return %zero : tensor<8x8xf32>
  }) : (tensor<i1>) -> tensor<8x8xf32>
  %q = stablehlo.dot_general %r, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

// It may not be where somebody reads it later, or in a branch that still reads it once the result is there.
// CHECK:       func.func @still_read
// CHECK:         %[[D:.*]] = "plan.buffer"
// CHECK-NEXT:    "kernel.launch"(%arg1, %[[D]]) <{callee = @contraction_0
// CHECK-NEXT:    %[[E:.*]] = "plan.buffer"
// CHECK:           "kernel.launch"(%[[D]], %[[E]])
// CHECK:         "kernel.launch"(%[[E]], %[[D]], %arg2) <{callee = @contraction_1
func.func @still_read(%p: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = "stablehlo.if"(%p) ({
    %e = stablehlo.exponential %d : tensor<8x8xf32>
    stablehlo.return %e : tensor<8x8xf32>
  }, {
    stablehlo.return %x : tensor<8x8xf32>
  }) : (tensor<i1>) -> tensor<8x8xf32>
  %q = stablehlo.dot_general %r, %d, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

// Three carries go round: one steps aside. The fourth takes the place of one that nobody needs any more: no detour.
// CHECK:       func.func @carries(%[[A:.*]]: memref<4xf32> {{.*}}, %[[B:.*]]: memref<4xf32> {{.*}}, %[[C:.*]]: memref<4xf32> {{.*}}, %[[X:.*]]: memref<4xf32> {{.*}}, %[[Y:.*]]: memref<4xf32> {{.*}})
// CHECK:         "plan.while"
// CHECK:           "plan.condition"
// CHECK:           %[[N:.*]] = "plan.buffer"
// CHECK-NEXT:      "kernel.launch"(%[[X]], %[[Y]], %[[N]])
// CHECK-NEXT:      "plan.copy"(%[[Y]], %[[X]])
// CHECK-NEXT:      "plan.copy"(%[[N]], %[[Y]])
// CHECK-NEXT:      %[[T:.*]] = "plan.buffer"
// CHECK-NEXT:      "plan.copy"(%[[C]], %[[T]])
// CHECK-NEXT:      "plan.copy"(%[[B]], %[[C]])
// CHECK-NEXT:      "plan.copy"(%[[A]], %[[B]])
// CHECK-NEXT:      "plan.copy"(%[[T]], %[[A]])
// CHECK-NEXT:      "plan.yield"
func.func @carries(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %c: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<4xf32> {tf.aliasing_output = 3 : i32}, %y: tensor<4xf32> {tf.aliasing_output = 4 : i32})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:6 = stablehlo.while(%i = %zero, %d = %a, %e = %b, %f = %c, %u = %x, %v = %y) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
   cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %t = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %u, %v : tensor<4xf32>
    stablehlo.return %j, %f, %d, %e, %v, %s : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
