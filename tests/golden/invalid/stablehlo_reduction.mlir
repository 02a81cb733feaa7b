// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about reduction, once.

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op expects 2 arguments in the reduction region, got 1}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op expects 1 results of the reduction region}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op shape of 'tensor<1xf32>' in the reduction region does not fit initial value 0, 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<1xf32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op element types of arguments and result 0 of the reduction region differ: 'tensor<i32>', 'tensor<f32>', 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op input 0 of type 'tensor<2x3xf32>' and initial value 'tensor<f32>' cannot be promoted to what the reduction region returns, 'tensor<f16>'}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    "stablehlo.return"(%x) : (tensor<f16>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf16>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op dimensions has dimension 2, out of range [0, 2)}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op dimensions has dimension 1 more than once}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op region #0 failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op expects as many inputs as initial values, got 1 operands}}
  %0 = "stablehlo.reduce"(%a) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op inputs have different shapes: 'tensor<2x3xf32>', 'tensor<3x2xf32>'}}
  %0:2 = "stablehlo.reduce"(%a, %b, %c, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result}}
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.divide across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{2 operands present, but expected 1}}
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expected 'init'}}
  %0 = stablehlo.reduce(%a %b) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce_window' op window_dimensions has 1 entries, expected 2}}
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8xf32>, %s: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' op source has size 3 in dimension 1, windows give 4}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8xf32>, %s: tensor<2x4xf64>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' op operand and source differ in rank or element type: 'tensor<2x8xf32>', 'tensor<2x4xf64>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<2x4xf64>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8xf32>, %s: tensor<2x4xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' op expects 2 arguments in the select region}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8xf32>, %s: tensor<2x4xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' op argument 0 of the select region must be a scalar of the element type of 'tensor<2x8xf32>', but got 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8xf32>, %s: tensor<2x4xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' op expects one result of type tensor<i1> of the select region}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %c: tensor<3x2xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op dimension 2 is out of range [-2, 2)}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 2 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %c: tensor<3x2xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op inputs have different shapes: 'tensor<2x3xf32>', 'tensor<3x2xi32>'}}
  %0:2 = "stablehlo.sort"(%a, %c) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3x2xi32>) -> (tensor<2x3xf32>, tensor<3x2xi32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %c: tensor<3x2xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op expects 4 arguments in the comparator}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %c: tensor<3x2xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op argument 1 of the comparator must be a scalar of the element type of 'tensor<2x3xf32>', but got 'tensor<i32>'}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: tensor<i32>, %w: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %c: tensor<3x2xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op expects one result of type tensor<i1> of the comparator}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op inputs have different shapes: 'tensor<2x3xf32>', 'tensor<3x2xf32>'}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op dimensions has 1 entries, expected 2}}
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op dimensions must be 0, 1, … in order}}
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op expects 2 arguments in the computation, got 1}}
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op argument 0 of the computation must be a scalar of the element type of 'tensor<2x3xf32>', but got 'tensor<1xf32>'}}
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<1xf32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' op expects one scalar result of the computation}}
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// Of the end of a region is said what it may not take, and what the op around it wants instead.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' op shape of 'f32' in the reduction region does not fit initial value 0, 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: f32, %y: f32):
    %1 = "llvm.add"(%x, %y) : (f32, f32) -> f32
    // expected-error@+1 {{operand #0 must be variadic of tensor or token or tuple or buffer, but got 'f32'}}
    "stablehlo.return"(%1) : (f32) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
