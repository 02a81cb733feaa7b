// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{expected '<' in tensor type}}
"a.b"() {k = tensor} : () -> ()

// -----

// expected-error@+1 {{expected 'x' in dimension list}}
"a.b"() {k = tensor<4x4>} : () -> ()

// -----

// expected-error@+1 {{expected '>' in tensor type}}
"a.b"() {k = tensor<4xf32} : () -> ()

// -----

// expected-error@+1 {{expected '>' in tensor type}}
"a.b"() {k = tensor<4xf32 5>} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = tensor<*x4xf32>} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = tensor<-4xf32>} : () -> ()

// -----

// expected-error@+1 {{invalid tensor element type: 'tensor<4xf32>'}}
"a.b"() {k = tensor<4xtensor<4xf32>>} : () -> ()

// -----

// expected-error@+1 {{invalid tensor element type: 'none'}}
"a.b"() {k = tensor<4xnone>} : () -> ()

// -----

// expected-error@+1 {{cannot apply encoding to unranked tensor}}
"a.b"() {k = tensor<*xf32, 5>} : () -> ()

// -----

// expected-error@+1 {{invalid dimension}}
"a.b"() {k = tensor<99999999999999999999xf32>} : () -> ()

// -----

// expected-error@+1 {{expected static shape}}
"a.b"() {k = vector<?xf32>} : () -> ()

// -----

// expected-error@+1 {{vector types must have positive constant sizes}}
"a.b"() {k = vector<0xf32>} : () -> ()

// -----

// expected-error@+1 {{missing ']' closing scalable dimension}}
"a.b"() {k = vector<[4xf32>} : () -> ()

// -----

// expected-error@+1 {{invalid dimension}}
"a.b"() {k = vector<[x]xf32>} : () -> ()

// -----

// expected-error@+1 {{vector elements must be int/index/float type but got 'tensor<4xf32>'}}
"a.b"() {k = vector<4xtensor<4xf32>>} : () -> ()

// -----

// expected-error@+1 {{expected '>' in vector type}}
"a.b"() {k = vector<4xf32} : () -> ()

// -----

// expected-error@+1 {{multiple memory spaces specified in memref type}}
"a.b"() {k = memref<4xf32, 1, 2>} : () -> ()

// -----

// expected-error@+1 {{multiple layouts specified in memref type}}
"a.b"() {k = memref<4xf32, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>>} : () -> ()

// -----

// expected-error@+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
"a.b"() {k = memref<4xf32, affine_map<(d0, d1) -> (d0, d1)>>} : () -> ()

// -----

// expected-error@+1 {{expected the number of strides to match the rank}}
"a.b"() {k = memref<4xf32, strided<[1, 2]>>} : () -> ()

// -----

// expected-error@+1 {{cannot have affine map for unranked memref type}}
"a.b"() {k = memref<*xf32, affine_map<(d0) -> (d0)>>} : () -> ()

// -----

// expected-error@+1 {{invalid memref element type}}
"a.b"() {k = memref<4xnone>} : () -> ()

// -----

// expected-error@+1 {{expected ',' or '>' in memref type}}
"a.b"() {k = memref<4xf32} : () -> ()

// -----

// expected-error@+1 {{invalid element type for complex}}
"a.b"() {k = complex<index>} : () -> ()

// -----

// expected-error@+1 {{expected '>' in complex type}}
"a.b"() {k = complex<f32} : () -> ()

// -----

// expected-error@+1 {{expected '<' in complex type}}
"a.b"() {k = complex f32} : () -> ()

// -----

// expected-error@+1 {{expected '>' in tuple type}}
"a.b"() {k = tuple<i32} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = tuple<5>} : () -> ()

// -----

// expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
"a.b"() {k = i16777216} : () -> ()

// -----

// expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
"a.b"() {k = i99999999999} : () -> ()

// -----

// expected-error@+1 {{expected '->' in function type}}
"a.b"() {k = (i32)} : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() {k = (i32) -> } : () -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : (foo) -> ()

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : (i32, ) -> ()

// -----

// expected-error@+1 {{undefined symbol alias id 'foo'}}
"a.b"() {k = !foo} : () -> ()

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
"a.b"() {k = !foo<bar} : () -> ()

// -----

// expected-error@+1 {{unbalanced '[' character in pretty dialect name}}
"a.b"() {k = !foo.bar<[>} : () -> ()

// -----

// expected-error@+1 {{expected '"' in string literal}}
"a.b"() {k = !foo.bar<"x>} : () -> ()

// -----

// expected-error@+1 {{invalid dialect namespace ''}}
"a.b"() {k = !.oo<bar>} : () -> ()

// -----

// expected-error@+1 {{unsupported memory space Attribute}}
"a.b"() {k = memref<4xf32, 2.0>} : () -> ()

// -----

// expected-error@+1 {{expected '<' in memref type}}
func.func private @f(memref i32)

// -----

// expected-error@+1 {{expected '<' in vector type}}
func.func private @f(vector i32)

// -----

// expected-error@+1 {{expected '<' in tuple type}}
func.func private @f(tuple i32)
