// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{expected '"' in string literal}}
"a.b"() {k = "abc} : () -> ()

// -----

// expected-error@+1 {{unknown escape in string literal}}
"a.b"() {k = "a\qb"} : () -> ()

// -----

// expected-error@+1 {{@ identifier expected to start with letter or '_'}}
"a.b"() {k = @} : () -> ()

// -----

// expected-error@+1 {{@ identifier expected to start with letter or '_'}}
"a.b"() {k = @1} : () -> ()

// -----

// expected-error@+1 {{invalid SSA name}}
%+ = "a.b"() : () -> i32

// -----

// expected-error@+1 {{invalid attribute name}}
"a.b"() {k = #} : () -> ()

// -----

// expected-error@+1 {{invalid type identifier}}
"a.b"() {k = !} : () -> ()

// -----

// expected-error@+1 {{invalid block name}}
"a.b"()[^ ] : () -> ()

// -----

// expected-error@+1 {{unexpected character}}
"a.b"() {k = ~1} : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {k = a..b} : () -> ()

// -----

// expected-error@+1 {{unexpected character}}
"a.b"() {k = 1} / : () -> ()
