func.func @main(%e: tensor<4096x256xf32>, %i: tensor<512xi32>, %g: tensor<512x256xf32>, %p: tensor<4x8x32x32xf32>, %dp: tensor<4x8x16x16xf32>) -> (tensor<4096x256xf32>, tensor<4x8x32x32xf32>) {
  %ix = stablehlo.reshape %i : (tensor<512xi32>) -> tensor<512x1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<4096x256xf32>
  %z0 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.scatter"(%z, %ix, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4096x256xf32>, tensor<512x1xi32>, tensor<512x256xf32>) -> tensor<4096x256xf32>
  %sel = "stablehlo.select_and_scatter"(%p, %dp, %z0) <{window_dimensions = array<i64: 1,1,2,2>, window_strides = array<i64: 1,1,2,2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8x32x32xf32>, tensor<4x8x16x16xf32>, tensor<f32>) -> tensor<4x8x32x32xf32>
  return %r, %sel : tensor<4096x256xf32>, tensor<4x8x32x32xf32>
}
