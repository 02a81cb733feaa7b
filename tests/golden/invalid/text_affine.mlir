// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{expected '<' in affine map}}
"a.b"() {k = affine_map} : () -> ()

// -----

// expected-error@+1 {{expected '(' in dimensional identifier list}}
"a.b"() {k = affine_map<d0 -> d0>} : () -> ()

// -----

// expected-error@+1 {{expected '->' or ':'}}
"a.b"() {k = affine_map<(d0) (d0)>} : () -> ()

// -----

// expected-error@+1 {{expected '(' in affine map range}}
"a.b"() {k = affine_map<(d0) -> d0>} : () -> ()

// -----

// expected-error@+1 {{redefinition of identifier 'd0'}}
"a.b"() {k = affine_map<(d0, d0) -> (d0)>} : () -> ()

// -----

// expected-error@+1 {{redefinition of identifier 'd0'}}
"a.b"() {k = affine_map<(d0)[d0] -> (d0)>} : () -> ()

// -----

// expected-error@+1 {{use of undeclared identifier}}
"a.b"() {k = affine_map<(d0) -> (d1)>} : () -> ()

// -----

// expected-error@+1 {{expected '>' in affine map}}
"a.b"() {k = affine_map<(d0) -> ()} : () -> ()

// -----

// expected-error@+1 {{no expression inside parentheses}}
"a.b"() {k = affine_map<(d0) -> (())>} : () -> ()

// -----

// expected-error@+1 {{expected ')' in affine map range}}
"a.b"() {k = affine_map<(d0) -> ((d0)>} : () -> ()

// -----

// expected-error@+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
"a.b"() {k = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()

// -----

// expected-error@+1 {{non-affine expression: right operand of mod has to be either a constant or symbolic}}
"a.b"() {k = affine_map<(d0, d1) -> (d0 mod d1)>} : () -> ()

// -----

// expected-error@+1 {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
"a.b"() {k = affine_map<(d0, d1) -> (d0 floordiv d1)>} : () -> ()

// -----

// expected-error@+1 {{non-affine expression: right operand of ceildiv has to be either a constant or symbolic}}
"a.b"() {k = affine_map<(d0, d1) -> (d0 ceildiv d1)>} : () -> ()

// -----

// expected-error@+1 {{missing right operand of binary operator}}
"a.b"() {k = affine_map<(d0, d1) -> (d0 +)>} : () -> ()

// -----

// expected-error@+1 {{missing left operand of binary operator}}
"a.b"() {k = affine_map<(d0, d1) -> (* d0)>} : () -> ()

// -----

// expected-error@+1 {{constant too large for index}}
"a.b"() {k = affine_map<(d0, d1) -> (99999999999999999999)>} : () -> ()

// -----

// expected-error@+1 {{expected bare identifier}}
"a.b"() {k = affine_map<(5) -> (0)>} : () -> ()

// -----

// expected-error@+1 {{expected bare identifier}}
"a.b"() {k = affine_map<(d0)[5] -> (0)>} : () -> ()

// -----

// expected-error@+1 {{expected ')' in dimensional identifier list}}
"a.b"() {k = affine_map<(d0 -> (0)>} : () -> ()

// -----

// expected-error@+1 {{expected ']' in symbol list}}
"a.b"() {k = affine_map<(d0)[s0 -> (0)>} : () -> ()

// -----

// expected-error@+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
"a.b"() {k = affine_set<(d0) : (d0)>} : () -> ()

// -----

// expected-error@+1 {{expected '==' here}}
"a.b"() {k = affine_set<(d0) : (d0 = 0)>} : () -> ()

// -----

// expected-error@+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
"a.b"() {k = affine_set<(d0) : (d0 > 0)>} : () -> ()

// -----

// expected-error@+1 {{expected '(' in integer set constraint list}}
"a.b"() {k = affine_set<(d0) : d0 >= 0>} : () -> ()

// -----

// expected-error@+1 {{expected '->' or ':'}}
"a.b"() {k = affine_set<(d0) (d0 >= 0)>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'strided'}}
"a.b"() {k = strided} : () -> ()

// -----

// expected-error@+1 {{expected '['}}
"a.b"() {k = strided<1>} : () -> ()

// -----

// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {k = strided<[a]>} : () -> ()

// -----

// expected-error@+1 {{expected ']'}}
"a.b"() {k = strided<[1}>} : () -> ()

// -----

// expected-error@+1 {{expected 'offset' after comma}}
"a.b"() {k = strided<[1], 5>} : () -> ()

// -----

// expected-error@+1 {{expected ':' after 'offset'}}
"a.b"() {k = strided<[1], offset 5>} : () -> ()

// -----

// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {k = strided<[1], offset: x>} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {k = strided<[1], offset: 5} : () -> ()

// -----

// expected-error@+1 {{expected ')' in integer set constraint list}}
module attributes {a = affine_set<(d0) : (d0 == 0>} {}
