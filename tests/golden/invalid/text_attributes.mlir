// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{duplicate key 'k' in dictionary attribute}}
"a.b"() {k = 1, k = 2} : () -> ()

// -----

// expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
"a.b"() {k = {a, a}} : () -> ()

// -----

// expected-error@+1 {{expected attribute name}}
"a.b"() {5} : () -> ()

// -----

// expected-error@+1 {{expected valid attribute name}}
"a.b"() {"" = 5} : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {k = } : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {k = [1, } : () -> ()

// -----

// expected-error@+1 {{expected ',' or ']'}}
"a.b"() {k = [1 2]} : () -> ()

// -----

// expected-error@+1 {{expected '}' in attribute dictionary}}
"a.b"() {k 5} : () -> ()

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"a.b"() {k = 5 : f32} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float literal should not have a leading minus}}
"a.b"() {k = -0x7F : f32} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"a.b"() {k = 0x1FF : f8E5M2} : () -> ()

// -----

// expected-error@+1 {{integer literal not valid for specified type}}
"a.b"() {k = 5 : none} : () -> ()

// -----

// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"a.b"() {k = -5 : ui8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = 256 : i8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = -129 : i8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = 128 : si8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = 9223372036854775808 : index} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = 18446744073709551616} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {k = 340282366920938463463374607431768211456 : i128} : () -> ()

// -----

// expected-error@+1 {{floating point value not valid for specified type}}
"a.b"() {k = 1.0 : i32} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = 1.0 : } : () -> ()

// -----

// expected-error@+1 {{expected constant integer or floating point value}}
"a.b"() {k = - } : () -> ()

// -----

// expected-error@+1 {{expected constant integer or floating point value}}
"a.b"() {k = -true } : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {k = foo} : () -> ()

// -----

// expected-error@+1 {{expected nested symbol reference identifier}}
"a.b"() {k = @a::b} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = "a" : } : () -> ()

// -----

// expected-error@+1 {{undefined symbol alias id 'foo'}}
"a.b"() {k = #foo} : () -> ()

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
"a.b"() {k = #foo<} : () -> ()

// -----

// expected-error@+1 {{unbalanced '(' character in pretty dialect name}}
"a.b"() {k = #foo.bar<(>} : () -> ()

// -----

// expected-error@+1 {{expected '[' after 'distinct'}}
"a.b"() {k = distinct} : () -> ()

// -----

// expected-error@+1 {{expected distinct ID}}
"a.b"() {k = distinct[x]<1>} : () -> ()

// -----

// expected-error@+1 {{expected ']' to close distinct ID}}
"a.b"() {k = distinct[1<1>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after distinct ID}}
"a.b"() {k = distinct[1]} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close distinct attribute}}
"a.b"() {k = distinct[1]<1} : () -> ()

// -----

// expected-error@+1 {{expected an unsigned 64-bit integer}}
"a.b"() {k = distinct[99999999999999999999]<1>} : () -> ()
