// What Inputs/step.vhlo.bc holds: this text as a portable artifact of version 1.9.0, written by StableHLO's serializer.
module @step {
  func.func public @main(%w: tensor<4x3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<2x4xf32>, %i: tensor<2x1xi32>) -> (tensor<4x3xf32> {jax.result_info = "w"}, tensor<f32>) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %bits = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %t = stablehlo.tanh %y : tensor<2x3xf32>
    %m = stablehlo.broadcast_in_dim %bits, dims = [1] : (tensor<3xi1>) -> tensor<2x3xi1>
    %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %s = stablehlo.select %m, %t, %z : tensor<2x3xi1>, tensor<2x3xf32>
    %p = stablehlo.pad %s, %zero, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    %c = stablehlo.slice %p [0:2, 1:4] : (tensor<2x4xf32>) -> tensor<2x3xf32>
    %loss = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %g = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    %new = "stablehlo.scatter"(%w, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %q = stablehlo.compare LT, %loss, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %e = "stablehlo.if"(%q) ({
      %n = stablehlo.negate %loss : tensor<f32>
      stablehlo.return %n : tensor<f32>
    }, {
      %n = func.call @half(%loss) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %n : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %new, %e : tensor<4x3xf32>, tensor<f32>
  }
  func.func private @half(%x: tensor<f32>) -> tensor<f32> {
    %h = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %r = stablehlo.multiply %x, %h : tensor<f32>
    return %r : tensor<f32>
  }
}
