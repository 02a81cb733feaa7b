// Composites and what they are made of.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @composites(%arg0: tensor<2x3xf32>) {
// CHECK-NEXT:    %0 = stablehlo.composite "my.op" %arg0 {composite_attributes = {n = 1 : i32}, decomposition = @decomposition, version = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1 = stablehlo.composite "my.op" %arg0 {decomposition = @decomposition} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK:  func.func private @decomposition(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    return %arg0 : tensor<2x3xf32>
// CHECK-NEXT:  }
"func.func"() <{function_type = (tensor<2x3xf32>) -> (), sym_name = "composites"}> ({
^bb0(%arg1: tensor<2x3xf32>):
  %0 = "stablehlo.composite"(%arg1) <{composite_attributes = {n = 1 : i32}, decomposition = @decomposition, name = "my.op", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.composite"(%arg1) <{decomposition = @decomposition, name = "my.op"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"() : () -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "decomposition", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<2x3xf32>):
  "func.return"(%arg0) : (tensor<2x3xf32>) -> ()
}) : () -> ()
