// RUN: echo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What a kernel.func must be, whatever stands in it.

// expected-error@+1 {{'kernel.func' op expects 'function_type' to be a function type}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = i32}> ({
^bb0:
  "test.end"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'kernel.func' op expects a body of one block}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error@+1 {{'kernel.func' op expects its body to end in 'kernel.return'}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = () -> ()}> ({
  "test.end"() : () -> ()
}) : () -> ()

// -----

func.func @f() {
  // expected-error@+1 {{op 'kernel.return' has no custom assembly form}}
  kernel.return
}

// -----

// expected-error@+1 {{attribute 'echo.recompute' is a unit attribute}}
"a.b"() {echo.recompute = 1 : i32} : () -> ()
