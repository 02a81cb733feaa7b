// Collectives in a counted loop, in a branch that not all take (each group of two its own), and sums of integers; four processes.
module attributes {mhlo.num_replicas = 4 : i32} {
  func.func @main(%x: tensor<6xf32>, %k: tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<6xf32>
    %0:3 = stablehlo.while(%i = %zero, %v = %x, %n = %k) : tensor<i32>, tensor<6xf32>, tensor<6xi32>
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = "stablehlo.all_reduce"(%v) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<6xf32>) -> tensor<6xf32>
      %m = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %c = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %c : tensor<i32>
      }) : (tensor<6xi32>) -> tensor<6xi32>
      %t = stablehlo.tanh %s : tensor<6xf32>
      %h = stablehlo.multiply %t, %half : tensor<6xf32>
      %w = stablehlo.add %v, %h : tensor<6xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %w, %m : tensor<i32>, tensor<6xf32>, tensor<6xi32>
    }
    %r = stablehlo.replica_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %rest = stablehlo.remainder %r, %two : tensor<ui32>
    %nought = stablehlo.constant dense<0> : tensor<ui32>
    %even = stablehlo.compare EQ, %rest, %nought : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %y = "stablehlo.if"(%even) ({
      %p = "stablehlo.all_reduce"(%0#1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.multiply %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<6xf32>) -> tensor<6xf32>
      stablehlo.return %p : tensor<6xf32>
    }, {
      stablehlo.return %0#1 : tensor<6xf32>
    }) : (tensor<i1>) -> tensor<6xf32>
    return %y, %0#2 : tensor<6xf32>, tensor<6xi32>
  }
}
