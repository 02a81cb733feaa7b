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

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op scan dimension of operand 0 is out of bounds}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=1 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op invalid scan dimension size of operand 1}}
  %0:2 = chlo.scan(%a, %b) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x, %z : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op expects 2 arguments in the body, but got 1}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op expects the body to return 2 values}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op operand and body argument 0 are incompatible}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<2xf32>, %y: tensor<f32>):
    stablehlo.return %y, %y : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op scan dimension of result 0 is out of bounds}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'chlo.scan' op result and value 0 that the body returns are incompatible}}
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op there must be exactly one ragged dimension in lhs}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<i64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op expects ranked operands and at least a vector of group sizes}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<i64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op lhs has dimension 7, out of range [0, 2)}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [7], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op lhs has dimension 1 in two places}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1, 1], rhs_contracting_dimensions = [1, 1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op there must be one group dimension in rhs, but got 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0, 2]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op there must be one group dimension in rhs, but got 0}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op there must be no group dimension in rhs, but got 1}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op lhs has 1 batching dimensions, rhs has 0}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x2x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op contracting dimension 0 has different sizes in 'tensor<2x3xf32>' and 'tensor<4x2x5xf32>'}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x2x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<7x4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op group_sizes of type 'tensor<7x4xi64>' fits neither one vector nor one for each of 0 dimensions before the ragged one}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<7x4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<6xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op the group dimension of 'tensor<4x3x5xf32>' must have size 6}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<6xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'chlo.ragged_dot' op result has type 'tensor<2x6xf32>', inferred shape of 'tensor<2x5xf32>'}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x3xf32>, tensor<4x3x5xf32>, tensor<4xi64>) -> tensor<2x6xf32>
  return
}
