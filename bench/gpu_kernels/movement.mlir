func.func @main(%x: tensor<1024x768xf32>, %b: tensor<768xf32>, %y: tensor<1024x768xf32>, %t: tensor<512x1024xf32>, %p: tensor<8x16x64x64xf32>) -> (tensor<1024x768xf32>, tensor<1024x768xf32>, tensor<1024x512xf32>, tensor<8x16x32x32xf32>) {
  %bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<768xf32>) -> tensor<1024x768xf32>
  %0 = stablehlo.add %x, %bb : tensor<1024x768xf32>
  %1 = stablehlo.tanh %0 : tensor<1024x768xf32>
  %2 = stablehlo.multiply %y, %x : tensor<1024x768xf32>
  %3 = stablehlo.transpose %t, dims = [1, 0] : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  %m0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %4 = "stablehlo.reduce_window"(%p, %m0) <{window_dimensions = array<i64: 1,1,2,2>, window_strides = array<i64: 1,1,2,2>}> ({
  ^bb0(%u: tensor<f32>, %v: tensor<f32>):
    %w = stablehlo.maximum %u, %v : tensor<f32>
    stablehlo.return %w : tensor<f32>
  }) : (tensor<8x16x64x64xf32>, tensor<f32>) -> tensor<8x16x32x32xf32>
  return %1, %2, %3, %4 : tensor<1024x768xf32>, tensor<1024x768xf32>, tensor<1024x512xf32>, tensor<8x16x32x32xf32>
}
