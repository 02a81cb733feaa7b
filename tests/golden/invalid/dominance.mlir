// RUN: echo-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

func.func @same_block(%a: i32) -> i32 {
  // expected-error@+1 {{operand #1 does not dominate this use}}
  %0 = "arith.addi"(%a, %1) : (i32, i32) -> i32
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %1 = "arith.addi"(%a, %a) : (i32, i32) -> i32
  return %0 : i32
}

// -----

func.func @own_result() {
  // expected-error@+2 {{operand #0 does not dominate this use}}
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "arith.negf"(%0) : (f32) -> f32
  return
}

// -----

func.func @other_block(%c: i1, %a: i32) -> i32 {
  "test.cond_br"(%c)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
  "test.br"()[^bb2] : () -> ()
^bb2:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  return %0 : i32
}

// -----

// Code that cannot be reached may use anything.
func.func @unreachable() {
  return
^bb1:
  %0 = "arith.addi"(%1, %1) : (i32, i32) -> i32
  %1 = "arith.addi"(%0, %0) : (i32, i32) -> i32
  return
}

// -----

// An op with a row is no graph region unless the row says so.
func.func @f(%c: i1) {
  "scf.if"(%c) ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "a.use"(%0) : (i32) -> ()
    // expected-note@+1 {{operand defined here (op in the same block)}}
    %0 = "a.def"() : () -> i32
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}

// -----

// Neither is a region of several blocks.
"a.op"() ({
  "a.br"()[^bb1] : () -> ()
^bb1:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "a.use"(%0) : (i32) -> ()
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "a.def"() : () -> i32
  "a.end"() : () -> ()
}) : () -> ()
