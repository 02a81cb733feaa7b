// RUN: echo-opt %s --verify-diagnostics --split-input-file

func.func @too_few(%a: i32) {
  // expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

func.func @too_many(%a: f32) {
  // expected-error@+1 {{'arith.negf' op requires a single operand}}
  %0 = "arith.negf"(%a, %a) : (f32, f32) -> f32
  return
}

// -----

func.func @one_result(%a: i32) {
  // expected-error@+1 {{'arith.addi' op requires one result}}
  %0:2 = "arith.addi"(%a, %a) : (i32, i32) -> (i32, i32)
  return
}

// -----

func.func @operand_type(%a: f32) {
  // expected-error@+3 {{'arith.addi' op operand #0 must be }}
  // expected-error@+2 {{'arith.addi' op operand #1 must be }}
  // expected-error@+1 {{'arith.addi' op result #0 must be }}
  %0 = "arith.addi"(%a, %a) : (f32, f32) -> f32
  return
}

// -----

func.func @same_type(%a: i32, %b: i64) {
  // expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @attribute() {
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %0 = "arith.constant"() : () -> i32
  return
}

// -----

func.func @regions(%a: i32) {
  // expected-error@+1 {{'arith.addi' op requires zero regions}}
  %0 = "arith.addi"(%a, %a) ({
  }) : (i32, i32) -> i32
  return
}

// -----

// All of them, not only the first.
func.func @two(%a: i32, %b: i64) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  // expected-error@+1 {{requires the same type for all operands and results}}
  %1 = "arith.muli"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @or_more(%a: index) {
  // expected-error@+1 {{'scf.for' op expected 3 or more operands, but found 1}}
  "scf.for"(%a) ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

// expected-error@+1 {{'func.func' op attribute 'sym_name' failed to satisfy constraint: string}}
"func.func"() <{sym_name = 3 : i32, function_type = () -> ()}> ({
}) : () -> ()

// -----

func.func @unknown_property(%a: f32) {
  // expected-error@+1 {{'arith.negf' op has no inherent attribute 'odd'}}
  %0 = "arith.negf"(%a) <{odd = 1 : i32}> : (f32) -> f32
  return
}

// -----

func.func @segments(%a: index) {
  // expected-error@+1 {{'scf.parallel' op operand count (3) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @segments(%a: index) {
  // expected-error@+1 {{'scf.parallel' op 'operandSegmentSizes' attribute for specifying operand segments must have 4 elements, but got 3}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @inferred(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @no_successors() {
  // expected-error@+1 {{'func.return' op requires 0 successors but found 1}}
  "func.return"()[^bb1] : () -> ()
^bb1:
  return
}
