// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{expected '(' in location}}
"a.b"() : () -> () loc

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() : () -> () loc()

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() : () -> () loc(foo)

// -----

// expected-error@+1 {{expected integer line number in FileLineColLoc}}
"a.b"() : () -> () loc("a":x)

// -----

// expected-error@+1 {{expected ':' in FileLineColLoc}}
"a.b"() : () -> () loc("a":1)

// -----

// expected-error@+1 {{expected integer column number in FileLineColLoc}}
"a.b"() : () -> () loc("a":1:x)

// -----

// expected-error@+1 {{expected ')' in location}}
"a.b"() : () -> () loc("a":1:2

// -----

// expected-error@+1 {{expected ')' in location}}
"a.b"() : () -> () loc("a"("b")

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() : () -> () loc("a"(5))

// -----

// expected-error@+1 {{expected '(' in callsite location}}
"a.b"() : () -> () loc(callsite)

// -----

// expected-error@+1 {{expected 'at' in callsite location}}
"a.b"() : () -> () loc(callsite("a" "b"))

// -----

// expected-error@+1 {{expected ')' in location}}
"a.b"() : () -> () loc(callsite("a" at "b")

// -----

// expected-error@+1 {{expected '[' in fused location}}
"a.b"() : () -> () loc(fused)

// -----

// expected-error@+1 {{expected ']' in fused location}}
"a.b"() : () -> () loc(fused["a")

// -----

// expected-error@+1 {{expected '>' after fused location metadata}}
"a.b"() : () -> () loc(fused<"m"["a"])

// -----

// expected-error@+1 {{operation location alias was never defined}}
"a.b"() : () -> () loc(#foo)

// -----

// expected-error@+2 {{expected location, but found '5 : i32'}}
#foo = 5 : i32
"a.b"() : () -> () loc(#foo)

// -----

// expected-error@+1 {{expected location, but found '5 : i32'}}
"a.b"() : () -> () loc(#foo)
#foo = 5 : i32

// -----

// expected-error@+1 {{expected '(' in inline location}}
"a.b"() {k = loc} : () -> ()

// -----

// expected-error@+1 {{expected ')' in inline location}}
"a.b"() {k = loc("a"} : () -> ()

// -----

// expected-error@+1 {{expected ':' in FileLineColRange}}
module {} loc("f":1:2 to 3)

// -----

// expected-error@+1 {{expected ')' in callsite location}}
module {} loc(callsite("a" at "b"
