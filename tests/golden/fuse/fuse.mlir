// RUN: echo-opt --split-input-file --fuse %s | FileCheck %s
// RUN: echo-opt --split-input-file --fuse %s | echo-opt --split-input-file --verify-roundtrip --no-output

// A chain of elementwise ops is one kernel, whatever is constant inside it.
// CHECK:       kind = "map", sym_name = "map_0"
// CHECK-NEXT:  ^bb0(%[[B:.*]]: tensor<8xf32>, %[[X:.*]]: tensor<4x8xf32>):
// CHECK-NEXT:    {{.*}} = stablehlo.constant dense<1.000000e+00>
// CHECK:         stablehlo.add %[[X]]
// CHECK-NEXT:    {{.*}} = stablehlo.tanh
// CHECK-NEXT:    {{.*}} = stablehlo.subtract
// CHECK-NEXT:    "kernel.return"
// CHECK:       func.func @chain
// CHECK-NEXT:    %[[R:.*]] = "kernel.call"(%arg1, %arg0) <{callee = @map_0}>
// CHECK-NEXT:    return %[[R]]
func.func @chain(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %0 = stablehlo.add %x, %bias : tensor<4x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.subtract %ones, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Softmax: two reductions of rows with the maps of the same rows behind them.
// CHECK:       kind = "row_reduce"
// CHECK:       func.func @softmax
// CHECK-NEXT:    {{.*}} = "kernel.call"(%arg0) <{callee = @row_reduce_0}>
// CHECK-NEXT:    return
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %shifted = stablehlo.subtract %x, %maxes : tensor<4x8xf32>
  %e = stablehlo.exponential %shifted : tensor<4x8xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %sums : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A contraction stands alone; equal ones are one kernel; a reshape between kernels is a view.
// CHECK:       kind = "contraction", sym_name = "contraction_0"
// CHECK-NOT:   kernel.func
// CHECK:       func.func @contractions
// CHECK-NEXT:    %[[A:.*]] = "kernel.call"(%arg0, %arg1) <{callee = @contraction_0}>
// CHECK-NEXT:    %[[B:.*]] = "kernel.call"(%[[A]], %arg1) <{callee = @contraction_0}>
// CHECK-NEXT:    {{.*}} = stablehlo.reshape %[[B]]
func.func @contractions(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x4xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

// A value that a contraction reads is written by the kernel that goes on with it.
// CHECK:       "kernel.return"(%[[T:.*]], %[[N:.*]]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
// CHECK:       func.func @two_results
// CHECK-NEXT:    %[[K:.*]]:2 = "kernel.call"(%arg0) <{callee = @map_0}>
// CHECK-NEXT:    {{.*}} = "kernel.call"(%[[K]]#0, %arg1) <{callee = @contraction_0}>
func.func @two_results(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %t = stablehlo.tanh %x : tensor<4x4xf32>
  %n = stablehlo.negate %t : tensor<4x4xf32>
  %0 = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %n, %0 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What a barrier ties is not merged across it; operands whose results nobody reads are dropped.
// CHECK:       func.func @barrier
// CHECK-NEXT:    %[[T:.*]] = "kernel.call"(%arg0) <{callee = @map_0}>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier %[[T]] : tensor<4xf32>
// CHECK-NEXT:    {{.*}} = "kernel.call"(%[[B]], %arg1) <{callee = @map_1}>
func.func @barrier(%x: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.tanh %x : tensor<4xf32>
  %b:2 = stablehlo.optimization_barrier %t, %g : tensor<4xf32>, tensor<4xf32>
  %r = stablehlo.multiply %b#0, %g : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A sum does not hold back its terms across contractions: each addition runs where it can free them.
// CHECK:       func.func @accumulate
// CHECK:         @contraction_0
// CHECK:         @contraction_1
// CHECK:         @map_0
// CHECK:         @contraction_2
// CHECK:         @map_0
func.func @accumulate(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %ab = stablehlo.add %a, %b : tensor<8x8xf32>
  %c = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %abc = stablehlo.add %ab, %c : tensor<8x8xf32>
  return %abc : tensor<8x8xf32>
}

// -----

// Inside regions too.
// CHECK:       func.func @loop
// CHECK:         stablehlo.while
// CHECK-NEXT:    cond {
// CHECK-NEXT:      {{.*}} = "kernel.call"(%iterArg, %arg0)
// CHECK:         } do {
// CHECK-NEXT:      {{.*}} = "kernel.call"(%iterArg)
// CHECK-NEXT:      {{.*}} = "kernel.call"(%iterArg_0)
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
    %s = stablehlo.negate %e : tensor<4xf32>
    stablehlo.return %j, %s : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// What a kernel reduces by rows it would compute anew to write it: the exponentials of a softmax are made by each of the two kernels
// that read them, and the second is written over the logits.
// CHECK:       kind = "row_reduce"
// CHECK:         stablehlo.exponential
// CHECK:         "kernel.return"(%{{.*}}, %{{.*}}) : (tensor<64xf32>, tensor<64xf32>) -> ()
// CHECK:       kind = "map"
// CHECK:         stablehlo.exponential
// CHECK:       func.func @exponentials
func.func @exponentials(%x: tensor<64x32xf32>, %w: tensor<32x4096xf32>) -> (tensor<64xf32>, tensor<64x32xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %logits = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x4096xf32>) -> tensor<64x4096xf32>
  %max = stablehlo.reduce(%logits init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  %max_rows = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x4096xf32>
  %shifted = stablehlo.subtract %logits, %max_rows : tensor<64x4096xf32>
  %e = stablehlo.exponential %shifted : tensor<64x4096xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  %log = stablehlo.log %sum : tensor<64xf32>
  %loss = stablehlo.add %log, %max : tensor<64xf32>
  %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x4096xf32>
  %p = stablehlo.divide %e, %sum_rows : tensor<64x4096xf32>
  %g = stablehlo.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<64x4096xf32>, tensor<32x4096xf32>) -> tensor<64x32xf32>
  return %loss, %g : tensor<64xf32>, tensor<64x32xf32>
}

// -----

// What both kernels read stands until the second runs, as a view or not: the square is computed again there, not written for it.
// CHECK:       kind = "map", sym_name = "map_0"
// CHECK:         stablehlo.multiply
// CHECK:         stablehlo.tanh
// CHECK:         "kernel.return"(%{{[0-9]+}}) : (tensor<64x64xf32>) -> ()
// CHECK:       kind = "map", sym_name = "map_1"
// CHECK:         stablehlo.multiply
// CHECK:         stablehlo.multiply
// CHECK:         stablehlo.add
// CHECK:       func.func @views
func.func @views(%x: tensor<64x64xf32>, %g: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %h = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b:2 = stablehlo.optimization_barrier %h, %g : tensor<64x64xf32>, tensor<64x64xf32>
  %s = stablehlo.multiply %b#0, %b#0 : tensor<64x64xf32>
  %t = stablehlo.tanh %s : tensor<64x64xf32>
  %d = stablehlo.dot_general %t, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = stablehlo.multiply %d, %s : tensor<64x64xf32>
  %r = stablehlo.add %m, %h : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// An argument is there anyway, behind a barrier, too: nothing is held back for it, so that the product joins the kernel that reads it.
// CHECK:       kind = "map", sym_name = "map_0"
// CHECK:         stablehlo.broadcast_in_dim
// CHECK-NEXT:    {{.*}} = stablehlo.multiply
// CHECK-NEXT:    {{.*}} = stablehlo.add
// CHECK:       func.func @behind_a_barrier
func.func @behind_a_barrier(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %gamma: tensor<64xf32>) -> tensor<64x64xf32> {
  %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = stablehlo.optimization_barrier %gamma : tensor<64xf32>
  %g = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %m = stablehlo.multiply %d, %g : tensor<64x64xf32>
  %e = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = stablehlo.add %m, %e : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
