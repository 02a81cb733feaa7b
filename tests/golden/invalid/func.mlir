// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about functions and modules, once.

func.func @f(%a: i32) -> i32 {
  // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

func.func @f(%a: i32) -> i64 {
  // expected-error@+1 {{type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f}}
  return %a : i32
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op 'missing' does not reference a valid function}}
  call @missing(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  %0 = call @g() : () -> i32
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i64) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0}}
  %0 = call @g(%a) : (i64) -> i32
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op result type mismatch: expected result type 'i32', but provided 'i64' for result number 0}}
  %0 = call @g(%a) : (i32) -> i64
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error@+1 {{1 operands present, but expected 2}}
  %0 = call @g(%a) : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{2 operands present, but expected 1}}
  return %a, %a : i32
}

// -----

// expected-error@+1 {{expected SSA identifier}}
func.func @f(%a: i32, i32) {
  return
}

// -----

// expected-error@+1 {{expected type instead of SSA identifier}}
func.func private @f(i32, %a: i32)

// -----

// expected-error@+1 {{'func.func' op arguments may only have dialect attributes, found: 'note'}}
func.func private @f(i32 {note})

// -----

// expected-error@+1 {{'func.func' op results may only have dialect attributes, found: 'note'}}
func.func private @f() -> (i32 {note})

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0:
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%a: i64):
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires a function type, but got 'i32'}}
"func.func"() <{function_type = i32, sym_name = "f"}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects 'arg_attrs' to have 1 entries, but got 0}}
"func.func"() <{arg_attrs = [], function_type = (i32) -> (), sym_name = "f"}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects entry 0 of 'arg_attrs' to be a dictionary}}
"func.func"() <{arg_attrs = [1], function_type = (i32) -> (), sym_name = "f"}> ({
}) : () -> ()

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.while' op expects the cond region to return one tensor<i1>}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    // expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
    func.return
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// expected-error@+1 {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'note'}}
module attributes {note} {
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%a) : (i32) -> ()
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{1 operands present, but expected 2}}
  %0 = builtin.unrealized_conversion_cast %a : i32, i32 to i64
  return
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{type of return operand 0 ('tensor<2xf32>') doesn't match function result type ('tensor<3xf32>') in function @f}}
  stablehlo.return %a : tensor<2xf32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has 2 operands, but enclosing function (@f) returns 1}}
  stablehlo.return %a, %a : tensor<2xf32>, tensor<2xf32>
}
