// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about chlo, once.

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{'chlo.broadcast_add' op operands have sizes 3 and 4 in one dimension}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf64>) {
  // expected-error@+1 {{'chlo.broadcast_add' op requires the same element type for all operands, but got 'tensor<2x3xf32>' and 'tensor<3xf64>'}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'chlo.broadcast_add' op broadcast_dimensions has dimension 2, out of range [0, 2)}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'chlo.top_k' op operand's last dimension must be at least 4}}
  %0:2 = chlo.top_k(%a, k = 4) : tensor<2x3xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@+1 {{'chlo.top_k' op operand's rank must be at least 1}}
  %0:2 = chlo.top_k(%a, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'chlo.constant_like' op requires a typed attribute 'value'}}
  %0 = "chlo.constant_like"(%a) <{value = "text"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xi32>) {
  // expected-error@+2 {{'chlo.erf' op operand #0 must be tensor of any rank of floats, but got 'tensor<2xi32>'}}
  // expected-error@+1 {{'chlo.erf' op result #0 must be tensor of any rank of floats, but got 'tensor<2xi32>'}}
  %0 = chlo.erf %a : tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  // expected-error@+1 {{operand types must match the number of inputs and inits}}
  } : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  // expected-error@+1 {{not enough result types to cover the required carries}}
  } : (tensor<2x3xf32>, tensor<3xf32>) -> ()
  return
}
