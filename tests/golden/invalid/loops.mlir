// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about arith, scf, memref, vector, kernel and gpu, once.

func.func @f() {
  // expected-error@+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i64
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer return type must be signless}}
  %0 = "arith.constant"() <{value = 1 : ui32}> : () -> ui32
  return
}

// -----

func.func @f(%a: i8) {
  // expected-error@+1 {{failed to verify that all of {lhs, rhs, sum} have same type}}
  %0, %1 = "arith.addui_extended"(%a, %a) : (i8, i8) -> (i32, i1)
  return
}

// -----

func.func @f(%c: i1, %a: i32, %b: i64) {
  // expected-error@+1 {{failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f(%c: vector<4xi1>, %a: i32) {
  // expected-error@+1 {{expected condition type to have the same shape as the result type}}
  %0 = "arith.select"(%c, %a, %a) : (vector<4xi1>, i32, i32) -> i32
  return
}

// -----

func.func @f(%a: i64) {
  // expected-error@+1 {{operand type 'i64' and result type 'i32' are cast incompatible}}
  %0 = "arith.extsi"(%a) : (i64) -> i32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{operand type 'f32' and result type 'f64' are cast incompatible}}
  %0 = "arith.truncf"(%a) : (f32) -> f64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = "arith.index_cast"(%a) : (i32) -> i64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand type 'i32' and result type 'f64' are cast incompatible}}
  %0 = "arith.bitcast"(%a) : (i32) -> f64
  return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "arith.extsi"(%a) : (vector<4xi32>) -> i64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{has an unknown predicate 10}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error@+1 {{requires all operands to have the same type}}
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (i32, i64) -> i1
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error@+1 {{failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "scf.for"(%a, %b, %a) ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, i32, index) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{expected induction variable to be same type as bounds and step}}
  "scf.for"(%a, %a, %a) ({
  ^bb0(%i: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{mismatch in number of loop-carried values and defined values}}
  "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index, %y: f32):
    "scf.yield"() : () -> ()
  }) : (index, index, index, f32) -> ()
  return
}

// -----

func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{expects body to have 2 arguments, got 1}}
  %0 = "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index):
    "scf.yield"(%x) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{types mismatch between 0th iter operand and defined value}}
  %0 = "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index, %y: f64):
    "scf.yield"(%x) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{region #0 yields 0 values, but the op has 1 results}}
  %0 = "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index, %y: f32):
    "scf.yield"() : () -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%c: i1, %x: f32, %y: f64) {
  // expected-error@+1 {{region #1 yields another type for result #0}}
  %0 = "scf.if"(%c) ({
    "scf.yield"(%x) : (f32) -> ()
  }, {
    "scf.yield"(%y) : (f64) -> ()
  }) : (i1) -> f32
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error@+1 {{must have an else block if defining values}}
  %0 = "scf.if"(%c) ({
    "scf.yield"(%x) : (f32) -> ()
  }, {
  }) : (i1) -> f32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{expects as many upper bounds and steps as lower bounds, at least one}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{expects the same number of induction variables as bounds}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index, %j: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{expects body to terminate with 'scf.reduce'}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{expects the 'before' region to terminate with 'scf.condition'}}
  %0 = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.yield"(%a) : (i32) -> ()
  }, {
  ^bb0(%a: i32):
    "scf.yield"(%a) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%x: i32, %c: i1) {
  // expected-error@+1 {{expects the 'after' region and the results to match what 'scf.condition' passes}}
  %0 = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.condition"(%c) : (i1) -> ()
  }, {
  ^bb0(%a: i32):
    "scf.yield"(%a) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%x: i32, %c: i1) {
  // expected-error@+1 {{expects the 'after' region to yield the loop's operands}}
  %0 = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.condition"(%c, %a) : (i1, i32) -> ()
  }, {
  ^bb0(%a: i32):
    "scf.yield"() : () -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%m: memref<4x8xf32>, %i: index) {
  // expected-error@+1 {{expects 2 indices, got 1}}
  %0 = "memref.load"(%m, %i) : (memref<4x8xf32>, index) -> f32
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index, %x: f64) {
  // expected-error@+1 {{failed to verify that the value's type matches element type of memref}}
  "memref.store"(%x, %m, %i) : (f64, memref<4xf32>, index) -> ()
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error@+1 {{invalid number of reassociation groups: found 2, expected 1}}
  %0 = "memref.collapse_shape"(%m) <{reassociation = [[0], [1]]}> : (memref<4x8xf32>) -> memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error@+1 {{expects the reassociation to list all dimensions in order}}
  %0 = "memref.collapse_shape"(%m) <{reassociation = [[1, 0]]}> : (memref<4x8xf32>) -> memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be static value of 32}}
  %0 = "memref.collapse_shape"(%m) <{reassociation = [[0, 1]]}> : (memref<4x8xf32>) -> memref<33xf32>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>, %i: index) {
  // expected-error@+1 {{requires as many indices as the memref has dimensions}}
  %0 = "vector.load"(%m, %i) : (memref<4x8xf32>, index) -> vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{base and vector element types should match}}
  %0 = "vector.load"(%m, %i) : (memref<8xf32>, index) -> vector<8xf64>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{source and result element types should match}}
  %0 = "vector.broadcast"(%x) : (f32) -> vector<8xf64>
  return
}

// -----

func.func @f(%x: vector<4xf32>) {
  // expected-error@+1 {{mask index #2 out of range}}
  %0 = "vector.shuffle"(%x, %x) <{mask = [0, 8]}> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
  return
}

// -----

func.func @f(%x: vector<4xf32>) {
  // expected-error@+1 {{mask length mismatch}}
  %0 = "vector.shuffle"(%x, %x) <{mask = [0, 7]}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%x: vector<4x2xf32>, %y: vector<4x3xf32>) {
  // expected-error@+1 {{expects vectors that differ in their leading dimension alone}}
  %0 = "vector.shuffle"(%x, %y) <{mask = [0]}> : (vector<4x2xf32>, vector<4x3xf32>) -> vector<1x2xf32>
  return
}

// -----

func.func @f(%m: memref<4x1xf32>) {
  // expected-error@+1 {{rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = "memref.collapse_shape"(%m) <{reassociation = []}> : (memref<4x1xf32>) -> memref<f32>
  return
}

// -----

// expected-error@+1 {{of a scalable vector must be a splat}}
%0 = "arith.constant"() <{value = dense<[1, 2]> : vector<[2]xi32>}> : () -> vector<[2]xi32>

// -----

func.func @f(%b: tensor<4xi1>, %x: tensor<5xf32>) {
  // expected-error@+1 {{expected condition type to have the same shape as the result type}}
  %0 = "arith.select"(%b, %x, %x) : (tensor<4xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// expected-error@+1 {{has an unknown kind 'poem'}}
"kernel.func"() <{sym_name = "k", kind = "poem", function_type = () -> ()}> ({
  "kernel.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{expects 1 arguments, got 0}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = (tensor<4xf32>) -> ()}> ({
^bb0:
  "kernel.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{type of argument #0 does not match the function type}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = (tensor<4xf32>) -> ()}> ({
^bb0(%a: tensor<5xf32>):
  "kernel.return"() : () -> ()
}) : () -> ()

// -----

"kernel.func"() <{sym_name = "k", kind = "map", function_type = (tensor<4xf32>) -> ()}> ({
^bb0(%a: tensor<4xf32>):
  // expected-error@+1 {{has 1 operands, but the kernel returns 0}}
  "kernel.return"(%a) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

"kernel.func"() <{sym_name = "k", kind = "map", function_type = (tensor<4xf32>) -> tensor<5xf32>}> ({
^bb0(%a: tensor<4xf32>):
  // expected-error@+1 {{type of operand #0 does not match the kernel's result}}
  "kernel.return"(%a) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

func.func @f() {
  // expected-error@+1 {{expects parent op 'kernel.func'}}
  "kernel.return"() : () -> ()
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{n_inputs is 2, but it has 1 operands}}
  "kernel.launch"(%m) <{callee = @k, n_inputs = 2 : i64}> : (memref<4xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{expects one type for the result and one for each argument}}
"kernel.library"() <{sym_name = "k", function_type = () -> (), library = "blas", symbol = "f", signature = ["void"], arguments = [1 : i32], grid = array<i64: 1>}> : () -> ()

// -----

// expected-error@+1 {{argument #0 is neither a constant nor {buffer, strides}, {tile, total, axis}, {reference} or {space, stride}}}
"kernel.library"() <{sym_name = "k", function_type = () -> (), library = "blas", symbol = "f", signature = ["void", "i32"], arguments = ["x"], grid = array<i64: 1>}> : () -> ()

// -----

// expected-error@+1 {{signature type #0 is none of void, i32, i64, f32, f64, ptr}}
"kernel.library"() <{sym_name = "k", function_type = () -> (), library = "blas", symbol = "f", signature = ["word"], arguments = [], grid = array<i64: 1>}> : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{expected at least 1 arguments to body region}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0:
    "gpu.return"() : () -> ()
  }) {sym_name = "k"} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{expected body region argument #0 to be of type 'index'}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: i32):
    "gpu.return"() : () -> ()
  }) {sym_name = "k"} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.alignments' is an i64 for each of the 1 arguments}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.alignments = "16"} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.alignments' is an i64 for each of the 1 arguments}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.alignments = array<i64: 16, 16>} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{argument #0 is aligned to 12 bytes: that is no power of two}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.alignments = array<i64: 12>} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.read_only' is the numbers of arguments, as i64}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.read_only = array<i32: 0>} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{there is no argument #1 that is only read}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.read_only = array<i64: 1>} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.source' is an array of names}}
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%a: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.source = [1 : i32]} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.product' is no product}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = 1 : i64}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{a product has no size of 0}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 3, 0, 64>, b = array<i64: 1, 0, 4, 0, 64>, factor = f32, out = array<i64: 2, 0, 4, 8, 64>, result = f32, sizes = array<i64: 0, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{there is no argument #3 to multiply}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 3, 0, 64>, b = array<i64: 3, 0, 4, 0, 64>, factor = f32, out = array<i64: 2, 0, 4, 8, 64>, result = f32, sizes = array<i64: 1, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{argument #0 has not the elements of the product}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 3, 0, 64>, b = array<i64: 1, 0, 4, 0, 64>, factor = f16, out = array<i64: 2, 0, 4, 8, 64>, result = f32, sizes = array<i64: 1, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{the product is not one of all of argument #0}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 4, 0, 64>, b = array<i64: 1, 0, 4, 0, 64>, factor = f32, out = array<i64: 2, 0, 4, 8, 64>, result = f32, sizes = array<i64: 1, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{the product is not one of all of argument #1}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 3, 0, 64>, b = array<i64: 1, 1, 4, 0, 64>, factor = f32, out = array<i64: 2, 0, 4, 8, 64>, result = f32, sizes = array<i64: 1, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{the result of a product lies row by row, without gaps}}
  "gpu.func"() <{function_type = (memref<2x3xf32>, memref<3x4xf32>, memref<2x4xf32>) -> ()}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.product = {a = array<i64: 0, 0, 3, 0, 64>, b = array<i64: 1, 0, 4, 0, 64>, factor = f32, out = array<i64: 2, 1, 4, 8, 64>, result = f32, sizes = array<i64: 1, 2, 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{attribute 'kernel.convolution' is no convolution}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{a convolution has no padding of 4294967296}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 1, 1, 1, 4294967296>, factor = f32, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 5, 0, 0>, window = array<i64: 1, 64, 5, 5, 1, 10>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{a convolution has no size of 0}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 0, 1, 1, 1>, factor = f32, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 5, 0, 0>, window = array<i64: 1, 64, 5, 5, 1, 10>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{there is no argument #3 to convolve}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 1, 1, 1, 1>, factor = f32, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 5, 0, 0>, window = array<i64: 3, 64, 5, 5, 1, 10>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{argument #0 has not the elements of the convolution}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 1, 1, 1, 1>, factor = bf16, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 5, 0, 0>, window = array<i64: 1, 64, 5, 5, 1, 10>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{the convolution is not one of all of argument #1}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 1, 1, 1, 1>, factor = f32, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 5, 0, 0>, window = array<i64: 1, 64, 5, 5, 1, 5>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{the convolution is not one of all of argument #1}}
  "gpu.func"() <{function_type = (memref<3x4x2xf32>, memref<3x2x5xf32>, memref<3x4x5xf32>) -> ()}> ({
  ^bb0(%a: memref<3x4x2xf32>, %b: memref<3x2x5xf32>, %c: memref<3x4x5xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 4, 3, 4, 1, 1, 1, 1>, factor = f32, input = array<i64: 0, 64, 2, 8, 1, 2>, out = array<i64: 2, 64, 5, 20, 1, 5>, result = f32, sizes = array<i64: 1, 3, 2, 4, 0, 0>, window = array<i64: 1, 64, 5, 5, 1, 10>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{argument #3 has no part in the convolution}}
  "gpu.func"() <{function_type = (memref<3x3x2xf32>, memref<1x2x2xf32>, memref<3x3x2xf32>, memref<3x3x2xf32>) -> ()}> ({
  ^bb0(%a: memref<3x3x2xf32>, %b: memref<1x2x2xf32>, %c: memref<3x3x2xf32>, %d: memref<3x3x2xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 3, 1, 3, 1, 1, 1, 0>, factor = f32, input = array<i64: 0, 64, 2, 6, 1, 2>, out = array<i64: 2, 64, 2, 6, 1, 2>, result = f32, sizes = array<i64: 1, 3, 2, 2, 0, 0>, window = array<i64: 1, 64, 2, 2, 1, 4>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{a convolution reads argument #0, which it writes}}
  "gpu.func"() <{function_type = (memref<3x3x2xf32>, memref<1x2x2xf32>) -> ()}> ({
  ^bb0(%a: memref<3x3x2xf32>, %b: memref<1x2x2xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", kernel.convolution = {dims = array<i64: 3, 1, 3, 1, 1, 1, 0>, factor = f32, input = array<i64: 0, 64, 2, 6, 1, 2>, out = array<i64: 0, 64, 2, 6, 1, 2>, result = f32, sizes = array<i64: 1, 3, 2, 2, 0, 0>, window = array<i64: 1, 64, 2, 2, 1, 4>}} : () -> ()
  "gpu.module_end"() : () -> ()
}) : () -> ()
