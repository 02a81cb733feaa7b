// Control flow on buffers computes what it computes on tensors, bit for bit: carried values that change places, values handed
// on as they are, values read from outside, loops in loops, branches in loops, loops that never run, results that are arguments.
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --device=cpu --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --schedule --fuse --bufferize --plan-memory --verify-plan %s --no-output
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %w: tensor<8xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  // Two values change places; one is handed on; the loop reads %y from outside.
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %w) : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %y : tensor<8xf32>
    %q = stablehlo.multiply %s, %c : tensor<8xf32>
    stablehlo.return %j, %b, %q, %c : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  // A loop that never runs hands its initial values on.
  %never:2 = stablehlo.while(%i = %five, %a = %x) : tensor<i32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.negate %a : tensor<8xf32>
    stablehlo.return %i, %n : tensor<i32>, tensor<8xf32>
  }
  // A stack written slice by slice, a loop and a branch inside.
  %four = stablehlo.constant dense<4> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %stacked:3 = stablehlo.while(%i = %zero, %st = %empty, %a = %x) : tensor<i32>, tensor<4x8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %inner:2 = stablehlo.while(%k = %none, %v = %a) : tensor<i32>, tensor<8xf32>
     cond {
      %p = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %u = stablehlo.add %v, %a : tensor<8xf32>
      stablehlo.return %l, %u : tensor<i32>, tensor<8xf32>
    }
    %is_first = stablehlo.compare EQ, %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %chosen = "stablehlo.if"(%is_first) ({
      stablehlo.return %a : tensor<8xf32>
    }, {
      %m = stablehlo.subtract %inner#1, %y : tensor<8xf32>
      stablehlo.return %m : tensor<8xf32>
    }) : (tensor<i1>) -> tensor<8xf32>
    %slice = stablehlo.reshape %chosen : (tensor<8xf32>) -> tensor<1x8xf32>
    %next = stablehlo.dynamic_update_slice %st, %slice, %i, %none : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    stablehlo.return %j, %next, %chosen : tensor<i32>, tensor<4x8xf32>, tensor<8xf32>
  }
  %new = stablehlo.add %w, %r#1 : tensor<8xf32>
  return %new, %r#2, %r#3, %never#1, %stacked#1, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8xf32>
}
