// RUN: echo-opt %s --differentiate --canonicalize --cse --dce --split-input-file | FileCheck %s

// The states are stacked by the loop's own counter, which is no state: it is known in each iteration.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>
// CHECK:           stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %[[I]],
// CHECK:         stablehlo.while(%[[K:iterArg]] = %{{.*}} tensor<i64>, tensor<4xf32>, tensor<4xf32>
// CHECK:           %[[N:.*]] = stablehlo.convert %[[K]] {{.*}} : (tensor<i64>) -> tensor<i32>
// CHECK:           stablehlo.convert %[[N]] {{.*}} : (tensor<i32>) -> tensor<f32>
func.func @main(%w: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<0.5> : tensor<4xf32>
  %f:2 = stablehlo.while(%i = %first, %h = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %c = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %s = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %a = stablehlo.multiply %h, %s : tensor<4xf32>
    %b = stablehlo.multiply %a, %w : tensor<4xf32>
    %g = stablehlo.tanh %b : tensor<4xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<4xf32>
  }
  %loss = stablehlo.reduce(%f#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %loss, %g : tensor<f32>, tensor<4xf32>
}

// -----

// Counting 3, 5, 7, 9 stacks by a counter of its own.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<4xf32>, tensor<i64>, tensor<4x4xf32>
// CHECK:         stablehlo.while(%[[K:iterArg]] = %{{.*}} tensor<i64>, tensor<4xf32>, tensor<4xf32>
// CHECK:           %[[N:.*]] = stablehlo.convert %[[K]]
// CHECK:           %[[TWO:.*]] = stablehlo.constant {{.*}}dense<2> : tensor<i32>
// CHECK:           %[[M:.*]] = stablehlo.multiply %[[N]], %[[TWO]]
// CHECK:           %[[THREE:.*]] = stablehlo.constant {{.*}}dense<3> : tensor<i32>
// CHECK:           stablehlo.add %[[M]], %[[THREE]]
func.func @main(%w: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %first = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<0.5> : tensor<4xf32>
  %f:2 = stablehlo.while(%i = %first, %h = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %c = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %s = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %a = stablehlo.multiply %h, %s : tensor<4xf32>
    %b = stablehlo.multiply %a, %w : tensor<4xf32>
    %g = stablehlo.tanh %b : tensor<4xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<4xf32>
  }
  %loss = stablehlo.reduce(%f#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "nn.gradient"(%loss, %w) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %loss, %g : tensor<f32>, tensor<4xf32>
}
