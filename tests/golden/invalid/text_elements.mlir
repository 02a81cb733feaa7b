// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{expected '<' after 'dense'}}
"a.b"() {k = dense} : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
"a.b"() {k = dense<1>} : () -> ()

// -----

// expected-error@+1 {{elements literal must be a shaped type}}
"a.b"() {k = dense<1> : i32} : () -> ()

// -----

// expected-error@+1 {{elements literal type must have static shape}}
"a.b"() {k = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error@+1 {{elements literal type must have static shape}}
"a.b"() {k = dense<1> : tensor<*xi32>} : () -> ()

// -----

// expected-error@+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
"a.b"() {k = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {k = dense<[[1, 2], [3]]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {k = dense<[[1, 2], 3]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {k = dense<[1, [3]]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+1 {{parsed zero elements, but type ('tensor<2xi32>') expected at least 1}}
"a.b"() {k = dense<> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {k = dense<[1, x]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
"a.b"() {k = dense<[1, 2.0]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected floating-point elements, but parsed integer}}
"a.b"() {k = dense<[1.0, 2]> : tensor<2xf32>} : () -> ()

// -----

// expected-error@+1 {{expected floating-point elements, but parsed boolean}}
"a.b"() {k = dense<[1.0, true]> : tensor<2xf32>} : () -> ()

// -----

// expected-error@+1 {{expected i1 type for 'true' or 'false' values}}
"a.b"() {k = dense<[1, true]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected unsigned integer elements, but parsed negative value}}
"a.b"() {k = dense<[1, -1]> : tensor<2xui32>} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for type}}
"a.b"() {k = dense<[1, 256]> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{expected integer or floating point literal}}
"a.b"() {k = dense<[1, -]> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{expected ']'}}
"a.b"() {k = dense<[1, 2> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{elements literal is not closed by '>'}}
"a.b"() {k = dense<[1, 2} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {k = dense<[1, 2]]> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"a.b"() {k = dense<[1.0, 0x1FFFFFFFF]> : tensor<2xf32>} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float literal should not have a leading minus}}
"a.b"() {k = dense<[1.0, -0x1F]> : tensor<2xf32>} : () -> ()

// -----

// expected-error@+1 {{expected string containing hex digits starting with `0x`}}
"a.b"() {k = dense<"0x010"> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{elements hex data size is invalid for provided type: 'tensor<2xi8>'}}
"a.b"() {k = dense<"0x0102030405"> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{expected string containing hex digits starting with `0x`}}
"a.b"() {k = dense<"abc"> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{expected string token, got '1'}}
"a.b"() {k = dense<1> : tensor<2x!foo.s>} : () -> ()

// -----

// expected-error@+1 {{expected ')'}}
"a.b"() {k = dense<(1, 2> : tensor<2xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected '('}}
"a.b"() {k = dense<1> : tensor<2xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {k = dense<(1, 2)> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'array'}}
"a.b"() {k = array} : () -> ()

// -----

// expected-error@+1 {{expected integer or float type, got: 'index'}}
"a.b"() {k = array<index: 1>} : () -> ()

// -----

// expected-error@+1 {{element type bitwidth must be a multiple of 8}}
"a.b"() {k = array<i7: 1>} : () -> ()

// -----

// expected-error@+1 {{expected ':' after dense array type}}
"a.b"() {k = array<i32 1>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
"a.b"() {k = array<i32: 1.0>} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {k = array<i32: 1, >} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close an array attribute}}
"a.b"() {k = array<i32: 1 2>} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close an array attribute}}
"a.b"() {k = array<i32: 1} : () -> ()

// -----

// expected-error@+1 {{expected floating-point elements, but parsed integer}}
"a.b"() {k = array<f32: 1>} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for type}}
"a.b"() {k = array<i1: 2>} : () -> ()

// -----

// expected-error@+1 {{expected i1 type for 'true' or 'false' values}}
"a.b"() {k = array<i8: true>} : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
"a.b"() {k = dense_resource<foo>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'dense_resource'}}
"a.b"() {k = dense_resource foo} : () -> ()

// -----

// expected-error@+1 {{expected identifier key for 'resource' entry}}
"a.b"() {k = dense_resource<5> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {k = dense_resource<foo : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{`dense_resource` expected a shaped type}}
"a.b"() {k = dense_resource<foo> : i32} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'sparse'}}
"a.b"() {k = sparse} : () -> ()

// -----

// expected-error@+1 {{expected ','}}
"a.b"() {k = sparse<[[0]]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{sparse indices do not match the shape or number of values}}
"a.b"() {k = sparse<[[0, 0]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{sparse indices do not match the shape or number of values}}
"a.b"() {k = sparse<[[0], [1]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
"a.b"() {k = sparse<[[1.0]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{sparse index #0 is not contained within the value shape}}
"a.b"() {k = sparse<[[40, 0], [1, 2]], [1, 2]> : tensor<3x4xi8>} : () -> ()

// -----

// expected-error@+1 {{number of elements of 'tensor<9223372036854775807x9xi8>' overflows}}
"a.b"() {k = dense<[1, 2]> : tensor<9223372036854775807x9xi8>} : () -> ()

// -----

// expected-error@+1 {{array elements are limited to 64 bits}}
"a.b"() {k = array<i128: 1>} : () -> ()

// -----

// expected-error@+1 {{expected ',' between complex elements}}
"a.b"() {k = dense<(1 2)> : tensor<2xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected ')' after complex elements}}
"a.b"() {k = dense<(1, 2 3)> : tensor<2xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{sparse index #1 is not contained within the value shape, with index=[0, 5], and type='tensor<2x2xi32>'}}
"a.b"() {k = sparse<[[1, 1], [0, 5]], [1, 2]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+2 {{referenced attribute does not match previous definition: 1 : i32}}
"a.b"() {k = distinct[0]<1 : i32>} : () -> ()
"a.b"() {k = distinct[0]<2 : i32>} : () -> ()
