// RUN: echo-opt %s --differentiate | FileCheck %s
// RUN: echo-opt %s --differentiate --verify-roundtrip -o /dev/null

// A gradient's products are as precise as those that they are gradients of, as JAX has it.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     stablehlo.dot_general %{{.*}}, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, {{.*}} {echo.phase = "backward"}
// CHECK-DAG:     stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, {{.*}} {echo.phase = "backward"}
// CHECK-DAG:     stablehlo.dot_general %arg1, %{{.*}}, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] {echo.phase = "backward"}
func.func @main(%w: tensor<4x3xf32>, %x: tensor<2x4xf32>, %v: tensor<3x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %b = stablehlo.tanh %a : tensor<2x3xf32>
  %c = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %g:2 = "nn.gradient"(%loss, %w, %v) : (tensor<f32>, tensor<4x3xf32>, tensor<3x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
  return %g#0, %g#1 : tensor<4x3xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK:         stablehlo.convolution(%{{.*}}precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]
// CHECK-COUNT-2: stablehlo.convolution(%{{.*}}echo.phase = "backward"{{.*}}precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]
func.func @convolution(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x5xf32>) -> (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x2x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>, tensor<f32>) -> tensor<f32>
  %g:2 = "nn.gradient"(%loss, %x, %w) : (tensor<f32>, tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>)
  return %g#0, %g#1 : tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>
}
