// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+3 {{reference to an undefined block}}
"a.r"() ({
^bb0:
  "a.b"()[^bb1] : () -> ()
}) : () -> ()

// -----

// expected-error@+5 {{redefinition of block '^bb0'}}
// expected-note@+2 {{previously defined here}}
"a.r"() ({
^bb0:
  "a.b"() : () -> ()
^bb0:
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+2 {{expected ':' and type for SSA operand}}
"a.r"() ({
^bb0(%a):
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+2 {{expected ')'}}
"a.r"() ({
^bb0(%a: i32:
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+2 {{expected SSA operand}}
"a.r"() ({
^bb0(i32):
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+2 {{expected ':' after block name}}
"a.r"() ({
^bb0(%a: i32)
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+3 {{redefinition of SSA value '%a'}}
// expected-note@+2 {{previously defined here}}
"a.r"() ({
^bb0(%a: i32, %a: i32):
  "a.b"() : () -> ()
}) : () -> ()

// -----

// expected-error@+2 {{use of undeclared SSA value name}}
"a.r"() ({
  "a.b"(%x) : (i32) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{expected operation name in quotes}}
^bb0:

// -----

// expected-error@+4 {{use of undeclared SSA value name}}
"a.r"() ({
  %0 = "a.b"() : () -> i32
}) : () -> ()
"a.u"(%0) : (i32) -> ()
