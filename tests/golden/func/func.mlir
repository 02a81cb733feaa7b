// Functions, calls, returns.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @empty() {
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK:  func.func public @arguments(%arg0: tensor<8xf32> {jax.buffer_donor = true}, %arg1: i32) -> (tensor<8xf32> {jax.result_info = "result"}, i32) attributes {note = "kept"} {
// CHECK-NEXT:    %0:2 = call @declared(%arg0, %arg1) : (tensor<8xf32>, i32) -> (tensor<8xf32>, i32)
// CHECK-NEXT:    return %0#0, %0#1 : tensor<8xf32>, i32
// CHECK-NEXT:  }
// CHECK:  func.func private @declared(tensor<8xf32> {tf.aliasing_output = 0 : i32}, i32) -> (tensor<8xf32>, i32)
// CHECK:  func.func nested @"quoted name"() -> ((i32) -> i32)
// CHECK:  func.func @blocks(%arg0: i32) -> i32 {
// CHECK-NEXT:    %0 = call @blocks(%arg0) {note} : (i32) -> i32
// CHECK-NEXT:    return {last} %0 : i32
// CHECK-NEXT:  }
"func.func"() <{function_type = () -> (), sym_name = "empty"}> ({
  "func.return"() : () -> ()
}) : () -> ()
"func.func"() <{arg_attrs = [{jax.buffer_donor = true}, {}], function_type = (tensor<8xf32>, i32) -> (tensor<8xf32>, i32), res_attrs = [{jax.result_info = "result"}, {}], sym_name = "arguments", sym_visibility = "public"}> ({
^bb0(%arg1: tensor<8xf32>, %arg2: i32):
  %1:2 = "func.call"(%arg1, %arg2) <{callee = @declared}> : (tensor<8xf32>, i32) -> (tensor<8xf32>, i32)
  "func.return"(%1#0, %1#1) : (tensor<8xf32>, i32) -> ()
}) {note = "kept"} : () -> ()
"func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {}], function_type = (tensor<8xf32>, i32) -> (tensor<8xf32>, i32), sym_name = "declared", sym_visibility = "private"}> ({
}) : () -> ()
"func.func"() <{function_type = () -> ((i32) -> i32), sym_name = "quoted name", sym_visibility = "nested"}> ({
}) : () -> ()
"func.func"() <{function_type = (i32) -> i32, sym_name = "blocks"}> ({
^bb0(%arg0: i32):
  %0 = "func.call"(%arg0) <{callee = @blocks}> {note} : (i32) -> i32
  "func.return"(%0) {last} : (i32) -> ()
}) : () -> ()
