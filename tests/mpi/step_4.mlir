// A step of linear regression, four processes a quarter of the batch each, in the form in which JAX writes jit of shard_map.
module @step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["i"=4]>
  func.func public @main(%arg0: tensor<8x2xf32>, %arg1: tensor<12x8xf32>) -> (tensor<8x2xf32>, tensor<f32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"i"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"i"} (%w: tensor<8x2xf32>, %x: tensor<3x8xf32>) {
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x2xf32>) -> tensor<3x2xf32>
      %t = stablehlo.tanh %y : tensor<3x2xf32>
      %one = stablehlo.constant dense<1.0> : tensor<3x2xf32>
      %e = stablehlo.subtract %t, %one : tensor<3x2xf32>
      %sq = stablehlo.multiply %e, %e : tensor<3x2xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
      %loss = "stablehlo.all_reduce"(%sum) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %tt = stablehlo.multiply %t, %t : tensor<3x2xf32>
      %dt = stablehlo.subtract %one, %tt : tensor<3x2xf32>
      %dy = stablehlo.multiply %e, %dt : tensor<3x2xf32>
      %part = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<3x8xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
      %dw = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
      %rate = stablehlo.constant dense<0.1> : tensor<8x2xf32>
      %d = stablehlo.multiply %rate, %dw : tensor<8x2xf32>
      %new = stablehlo.subtract %w, %d : tensor<8x2xf32>
      sdy.return %new, %loss : tensor<8x2xf32>, tensor<f32>
    } : (tensor<8x2xf32>, tensor<12x8xf32>) -> (tensor<8x2xf32>, tensor<f32>)
    return %0#0, %0#1 : tensor<8x2xf32>, tensor<f32>
  }
}
