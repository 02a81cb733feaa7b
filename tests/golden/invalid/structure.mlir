// RUN: echo-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

func.func @no_terminator(%a: i32) {
  // expected-error@+1 {{block with no terminator}}
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
}

// -----

// expected-error@+1 {{empty block: expect at least a terminator}}
"func.func"() <{sym_name = "empty", function_type = () -> ()}> ({
^bb0:
}) : () -> ()

// -----

func.func @after_terminator() {
  // expected-error@+1 {{'func.return' op must be the last operation in the parent block}}
  "func.return"() : () -> ()
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
  return
}

// -----

func.func @successors_in_the_middle() {
  // expected-error@+1 {{operation with block successors must terminate its parent block}}
  "test.br"()[^bb1] : () -> ()
  return
^bb1:
  return
}

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
func.func @entry() {
^bb0:
  "test.br"()[^bb0] : () -> ()
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func private @twice()
// expected-error@+1 {{redefinition of symbol named 'twice'}}
func.func private @twice()

// -----

// expected-error@+1 {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "secret"}}
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "secret"}> ({
}) : () -> ()

// -----

func.func @symbol_in_a_function() {
  // expected-error@+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func private @inner()
  return
}

// -----

// expected-error@+2 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
// expected-error@+1 {{'builtin.module' op Operations with a 'SymbolTable' must have exactly one block}}
"builtin.module"() ({
^bb0:
  "test.op"()[^bb1] : () -> ()
^bb1:
  "test.op"()[^bb1] : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires string attribute 'sym_name'}}
"func.func"() <{sym_name = "", function_type = () -> ()}> ({
}) : () -> ()
