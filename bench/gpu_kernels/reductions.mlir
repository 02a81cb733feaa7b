func.func @main(%x: tensor<512x1000xf32>, %y: tensor<8192x768xf32>, %z: tensor<4096x4096xf32>, %w: tensor<4096x10xf32>) -> (tensor<512x1000xf32>, tensor<768xf32>, tensor<f32>, tensor<4096x10xf32>) {
  %z0 = stablehlo.constant dense<0.0> : tensor<f32>
  %m0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %m0) applies stablehlo.maximum across dimensions = [1] : (tensor<512x1000xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x1000xf32>
  %d = stablehlo.subtract %x, %mb : tensor<512x1000xf32>
  %e = stablehlo.exponential %d : tensor<512x1000xf32>
  %s = stablehlo.reduce(%e init: %z0) applies stablehlo.add across dimensions = [1] : (tensor<512x1000xf32>, tensor<f32>) -> tensor<512xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<512xf32>) -> tensor<512x1000xf32>
  %p = stablehlo.divide %e, %sb : tensor<512x1000xf32>
  %c = stablehlo.reduce(%y init: %z0) applies stablehlo.add across dimensions = [0] : (tensor<8192x768xf32>, tensor<f32>) -> tensor<768xf32>
  %f = stablehlo.reduce(%z init: %z0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<f32>
  %wm = stablehlo.reduce(%w init: %m0) applies stablehlo.maximum across dimensions = [1] : (tensor<4096x10xf32>, tensor<f32>) -> tensor<4096xf32>
  %wmb = stablehlo.broadcast_in_dim %wm, dims = [0] : (tensor<4096xf32>) -> tensor<4096x10xf32>
  %wd = stablehlo.subtract %w, %wmb : tensor<4096x10xf32>
  return %p, %c, %f, %wd : tensor<512x1000xf32>, tensor<768xf32>, tensor<f32>, tensor<4096x10xf32>
}
