// Gradients of control flow; see tests/unit/grad/gradient_test.c.
func.func @case(%i: tensor<i32>, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.multiply %x, %y : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }, {
    %1 = stablehlo.tanh %x : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }, {
    %1 = stablehlo.sine %y : tensor<3xf64>
    %2 = stablehlo.multiply %1, %x : tensor<3xf64>
    stablehlo.return %2 : tensor<3xf64>
  }) : (tensor<i32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @if(%p: tensor<i1> {test.high = 2.0}, %x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.exponential %x : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }, {
    stablehlo.return %x : tensor<3xf64>
  }) : (tensor<i1>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @while(%h: tensor<2x3xf64>, %w: tensor<3x3xf64>) -> tensor<2x3xf64> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %s = %h) : tensor<i32>, tensor<2x3xf64>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
    %3 = stablehlo.tanh %2 : tensor<2x3xf64>
    stablehlo.return %1, %3 : tensor<i32>, tensor<2x3xf64>
  }
  return %0#1 : tensor<2x3xf64>
}
func.func @while_scan(%xs: tensor<4x3xf64>, %h: tensor<3xf64>) -> (tensor<3xf64>, tensor<4x3xf64>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<4x3xf64>
  %0:3 = stablehlo.while(%i = %c, %s = %h, %out = %z) : tensor<i32>, tensor<3xf64>, tensor<4x3xf64>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dynamic_slice %xs, %i, %zero, sizes = [1, 3] : (tensor<4x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x3xf64>
    %3 = stablehlo.reshape %2 : (tensor<1x3xf64>) -> tensor<3xf64>
    %4 = stablehlo.multiply %s, %3 : tensor<3xf64>
    %5 = stablehlo.sine %4 : tensor<3xf64>
    %6 = stablehlo.reshape %5 : (tensor<3xf64>) -> tensor<1x3xf64>
    %7 = stablehlo.dynamic_update_slice %out, %6, %i, %zero : (tensor<4x3xf64>, tensor<1x3xf64>, tensor<i32>, tensor<i32>) -> tensor<4x3xf64>
    stablehlo.return %1, %5, %7 : tensor<i32>, tensor<3xf64>, tensor<4x3xf64>
  }
  return %0#1, %0#2 : tensor<3xf64>, tensor<4x3xf64>
}
func.func @while_counts(%h: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<3xf64> {
  %c = stablehlo.constant dense<7> : tensor<i8>
  %0:2 = stablehlo.while(%i = %c, %s = %h) : tensor<i8>, tensor<3xf64>
  cond {
    %n = stablehlo.constant dense<-2> : tensor<i8>
    %1 = stablehlo.compare GT, %i, %n, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %step = stablehlo.constant dense<-3> : tensor<i8>
    %1 = stablehlo.add %i, %step : tensor<i8>
    %2 = stablehlo.convert %i : (tensor<i8>) -> tensor<f64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %4 = stablehlo.multiply %s, %w : tensor<3xf64>
    %5 = stablehlo.add %4, %3 : tensor<3xf64>
    %6 = stablehlo.sine %5 : tensor<3xf64>
    stablehlo.return %1, %6 : tensor<i8>, tensor<3xf64>
  }
  return %0#1 : tensor<3xf64>
}
