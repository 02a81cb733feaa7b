// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{custom op 'foo' is unknown (tried 'builtin.foo' as well)}}
foo

// -----

// expected-error@+1 {{Dialect `foo' not found for custom op 'foo.bar'}}
foo.bar %0

// -----

// expected-error@+1 {{expected operation name in quotes}}
123

// -----

// expected-error@+1 {{expected '=' after SSA name}}
%0

// -----

// expected-error@+1 {{expected operation name in quotes}}
%0 = 

// -----

// expected-error@+1 {{expected '=' after SSA name}}
%0 "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected named operation to have at least 1 result}}
%0:0 = "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected integer number of results}}
%0:x = "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected valid ssa identifier}}
%0, 5 = "a.b"() : () -> i32

// -----

// expected-error@+1 {{operation defines 1 results but was provided 2 to bind}}
%0:2 = "a.b"() : () -> i32

// -----

// expected-error@+1 {{cannot name an operation with no results}}
%0 = "a.b"() : () -> ()

// -----

// expected-error@+1 {{operation defines 3 results but was provided 2 to bind}}
%0, %1 = "a.b"() : () -> (i32, i32, i32)

// -----

// expected-error@+1 {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error@+1 {{expected '(' to start operand list}}
"a.b" : () -> ()

// -----

// expected-error@+1 {{expected ')' to end operand list}}
"a.b"( : () -> ()

// -----

// expected-error@+1 {{expected ')' to end operand list}}
"a.b"(i32) : () -> ()

// -----

// expected-error@+1 {{expected ',' or ']'}}
"a.b"()[^bb : () -> ()

// -----

// expected-error@+1 {{expected block name}}
"a.b"()[i32] : () -> ()

// -----

// expected-error@+1 {{expected '>' to close properties}}
"a.b"() < {a = 1} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close properties}}
"a.b"() <{a = 1} : () -> ()

// -----

// expected-error@+1 {{expected '{' in attribute dictionary}}
"a.b"() <5> : () -> ()

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"a.b"() ( : () -> ()

// -----

// expected-error@+1 {{expected ')' to end region list}}
"a.b"() ({} : () -> ()

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"a.b"() ({}, 5) : () -> ()

// -----

// expected-error@+1 {{expected operation name in quotes}}
"a.b"() ({ : () -> ()

// -----

// expected-error@+1 {{expected attribute name}}
"a.b"() {

// -----

// expected-error@+1 {{expected ':' followed by operation type}}
"a.b"()

// -----

// expected-error@+1 {{expected function type}}
"a.b"() : i32

// -----

// expected-error@+1 {{expected '->' in function type}}
"a.b"() : ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : () -> 

// -----

// expected-error@+1 {{expected ')'}}
"a.b"() : () -> (i32

// -----

// expected-error@+2 {{expected 1 operand type but had 0}}
%0 = "a.b"() : () -> i32
"a.b"(%0) : () -> ()

// -----

// expected-error@+2 {{expected 1 operand type but had 2}}
%0 = "a.b"() : () -> i32
"a.b"(%0) : (i32, i32) -> ()

// -----

// expected-error@+2 {{expected 2 operand types but had 1}}
%0 = "a.b"() : () -> i32
"a.b"(%0, %0) : (i32) -> ()

// -----

// expected-error@+1 {{use of undeclared SSA value name}}
"a.b"(%0) : (i32) -> ()

// -----

// expected-error@+2 {{use of undeclared SSA value name}}
// expected-error@+2 {{use of undeclared SSA value name}}
"a.b"(%0) : (i32) -> ()
"a.b"(%1) : (i32) -> ()

// -----

// expected-error@+3 {{use of value '%0' expects different type than prior uses: 'f32' vs 'i32'}}
// expected-note@+1 {{prior use here}}
%0 = "a.b"() : () -> i32
"a.b"(%0) : (f32) -> ()

// -----

// expected-error@+3 {{use of value '%0' expects different type than prior uses: 'f32' vs 'i32'}}
// expected-note@+1 {{prior use here}}
"a.b"(%0) : (i32) -> ()
"a.b"(%0) : (f32) -> ()

// -----

// expected-error@+3 {{definition of SSA value '%0#0' has type 'f32'}}
// expected-note@+1 {{previously used here with type 'i32'}}
"a.b"(%0) : (i32) -> ()
%0 = "a.b"() : () -> f32

// -----

// expected-error@+2 {{reference to invalid result number}}
%0 = "a.b"() : () -> i32
"a.b"(%0#1) : (i32) -> ()

// -----

// expected-error@+1 {{reference to invalid result number}}
"a.b"(%0#1) : (i32) -> ()
%0 = "a.b"() : () -> i32

// -----

// expected-error@+3 {{redefinition of SSA value '%0'}}
// expected-note@+1 {{previously defined here}}
%0 = "a.b"() : () -> i32
%0 = "a.b"() : () -> i32

// -----

// expected-error@+4 {{redefinition of SSA value '%0'}}
// expected-note@+1 {{previously defined here}}
%0 = "a.b"() : () -> i32
"a.r"() ({
  %0 = "a.b"() : () -> i32
}) : () -> ()

// -----

// expected-error@+2 {{invalid SSA value result number}}
%0 = "a.b"() : () -> i32
"a.b"(%0#x) : (i32) -> ()

// -----

// expected-error@+1 {{expected operation name in quotes}}
}

// -----

// expected-error@+1 {{expected operation name in quotes}}
"a.b"() : () -> () )

// -----

"text.outer"() ({
  // expected-error@+1 {{custom op 'return' is unknown (tried 'builtin.return' as well)}}
  return
}) : () -> ()
