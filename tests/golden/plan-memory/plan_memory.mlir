// RUN: echo-opt --split-input-file --plan-memory --verify-plan %s | FileCheck %s

// Buffers that are never live together share their place; every offset is a multiple of 64.
// CHECK:       module attributes {echo.stage = "planned", plan.bound_bytes = 512 : i64, plan.peak_bytes = 1024 : i64, plan.temp_bytes = 512 : i64}
// CHECK:         "plan.arena"() <{alignment = 64 : i64, size_bytes = 512 : i64}> : () -> memref<512xi8>
// CHECK-NEXT:    "plan.buffer"(%{{.*}}) <{offset = [[A:[0-9]+]] : i64}>
// CHECK:         "plan.buffer"(%{{.*}}) <{offset = [[B:[0-9]+]] : i64}>
// CHECK:         "plan.buffer"(%{{.*}}) <{offset = [[A]] : i64}>
module attributes {echo.stage = "planned"} {
  "kernel.func"() <{function_type = (tensor<8x8xf32>) -> tensor<8x8xf32>, kind = "transpose", sym_name = "k"}> ({
  ^bb0(%x: tensor<8x8xf32>):
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    "kernel.return"(%0) : (tensor<8x8xf32>) -> ()
  }) : () -> ()
  func.func @main(%x: memref<8x8xf32>, %out: memref<8x8xf32> {plan.result = 0 : i32}) {
    %arena = "plan.arena"() <{size_bytes = 0 : i64, alignment = 64 : i64}> : () -> memref<0xi8>
    %a = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<8x8xf32>
    "kernel.launch"(%x, %a) <{callee = @k, n_inputs = 1 : i64}> : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    %b = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<8x8xf32>
    "kernel.launch"(%a, %b) <{callee = @k, n_inputs = 1 : i64}> : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    %c = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<8x8xf32>
    "kernel.launch"(%b, %c) <{callee = @k, n_inputs = 1 : i64}> : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    "kernel.launch"(%c, %out) <{callee = @k, n_inputs = 1 : i64}> : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    return
  }
}

// -----

// What a loop reads from outside lives through all of it; what only the body uses does not.
// CHECK:       plan.bound_bytes = 256 : i64
// CHECK:         "plan.buffer"(%{{.*}}) <{offset = [[OUTER:[0-9]+]] : i64}>
// CHECK:         "plan.while"
// CHECK:         "plan.buffer"(%{{.*}}) <{offset = [[FLAG:[0-9]+]] : i64}>
// CHECK:         "plan.buffer"(%{{.*}}) <{offset = [[FLAG]] : i64}>
module attributes {echo.stage = "planned"} {
  func.func @main(%n: memref<i32>, %out: memref<32xf32> {plan.result = 0 : i32}) {
    %arena = "plan.arena"() <{size_bytes = 0 : i64, alignment = 64 : i64}> : () -> memref<0xi8>
    %outer = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<32xf32>
    %zero = "plan.constant"() <{value = dense<0.0> : tensor<32xf32>}> : () -> memref<32xf32>
    "plan.copy"(%zero, %outer) : (memref<32xf32>, memref<32xf32>) -> ()
    "plan.while"(%n) ({
      %flag = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<i1>
      %true = "plan.constant"() <{value = dense<true> : tensor<i1>}> : () -> memref<i1>
      "plan.copy"(%true, %flag) : (memref<i1>, memref<i1>) -> ()
      "plan.condition"(%flag) : (memref<i1>) -> ()
    }, {
      %t = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<32xf32>
      "plan.copy"(%outer, %t) : (memref<32xf32>, memref<32xf32>) -> ()
      "plan.copy"(%t, %out) : (memref<32xf32>, memref<32xf32>) -> ()
      "plan.yield"() : () -> ()
    }) : (memref<i32>) -> ()
    return
  }
}
