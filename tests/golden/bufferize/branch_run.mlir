// Branches that update carries where they are, hand them on, exchange them or fill them compute what they compute on tensors, bit for bit.
// RUN: echo-run %s --device=interpreter --seed=2 --outputs=%t.npz --quiet
// RUN: echo-run %s --device=cpu --seed=2 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt %s --isolate-regions --schedule --fuse --bufferize --plan-memory --verify-plan --no-output
func.func @main(%w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<4x8xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %square = stablehlo.multiply %g, %g : tensor<4x8xf32>
  %r:4 = stablehlo.while(%i = %zero, %a = %w, %b = %v, %h = %g) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
   cond {
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %p = stablehlo.compare LT, %i, %seven : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<i32>
    %empty = stablehlo.constant dense<0.0> : tensor<4x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %which = stablehlo.remainder %i, %four : tensor<i32>
    %twice = stablehlo.add %h, %h : tensor<4x8xf32>
    %s:3 = "stablehlo.case"(%which) ({
      stablehlo.return %a, %b, %twice : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }, {
      %m = stablehlo.add %b, %twice : tensor<4x8xf32>
      %n = stablehlo.subtract %a, %m : tensor<4x8xf32>
      stablehlo.return %n, %m, %h : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }, {
      stablehlo.return %b, %a, %square : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }, {
      %t = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
      %u = stablehlo.subtract %t, %a : tensor<4x8xf32>
      stablehlo.return %u, %empty, %t : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    stablehlo.return %j, %s#0, %s#1, %s#2 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
