// RUN: echo-opt --split-input-file --verify-diagnostics --schedule %s

// expected-error@+1 {{'func.func' op argument #0 aliases result #1, but there are 1 results}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op arguments #0 and #1 alias the same result #0}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op argument #0 aliases result #0 of another size}}
func.func @main(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has a value of type tensor<?xf32>: memory can be planned for static shapes only}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'stablehlo.tanh' op has a value of type tensor<?xf32>: memory can be planned for static shapes only}}
  %0 = stablehlo.tanh %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error@+1 {{'func.func' op has a value of type f32: memory is planned for tensors only}}
func.func @main(%x: f32) -> f32 {
  return %x : f32
}
