// RUN: echo-opt %s --expand-batch-norm --canonicalize --cse --dce | FileCheck %s
// RUN: echo-opt %s --expand-batch-norm --verify-roundtrip -o /dev/null

// The phase goes with the ops; means are sums divided by the number of elements a feature.
// CHECK-LABEL: func.func @training(
// CHECK-NOT:     batch_norm
// CHECK:         stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 2]
// CHECK:         stablehlo.divide {{.*}} {echo.phase = "forward"}
// CHECK:         stablehlo.rsqrt
func.func @training(%x: tensor<4x3x5xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.000000e-05 : f32, feature_index = 1 : i64}> {echo.phase = "forward"} : (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>
}

// bf16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @inference(
// CHECK-NOT:     batch_norm
// CHECK:         stablehlo.convert %arg0 : (tensor<4x3xbf16>) -> tensor<4x3xf32>
// CHECK-NOT:     stablehlo.reduce
// CHECK:         stablehlo.convert %{{.*}} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
func.func @inference(%x: tensor<4x3xbf16>, %s: tensor<3xbf16>, %o: tensor<3xbf16>, %m: tensor<3xbf16>, %v: tensor<3xbf16>) -> tensor<4x3xbf16> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 1.000000e-05 : f32, feature_index = 1 : i64}> : (tensor<4x3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> tensor<4x3xbf16>
  return %0 : tensor<4x3xbf16>
}

// CHECK-LABEL: func.func @grad(
// CHECK-NOT:     batch_norm
// CHECK-COUNT-2: stablehlo.reduce(
// CHECK-NOT:     stablehlo.reduce(
func.func @grad(%x: tensor<4x3xf64>, %s: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64>, %g: tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 1.000000e-05 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %0#2 : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
}
