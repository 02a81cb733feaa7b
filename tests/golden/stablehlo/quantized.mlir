// Quantized elements are printed as MLIR prints them, however they were written.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>, %arg1: tensor<2xf32>) {
// CHECK-NEXT:    %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<2xf32>
// CHECK-NEXT:    %1 = stablehlo.uniform_quantize %arg1 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
// CHECK-NEXT:    %2 = stablehlo.add %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
// CHECK-NEXT:    %cst = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>, %arg1: tensor<2xf32>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<2xf32>
  %1 = "stablehlo.uniform_quantize"(%arg1) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %2 = "stablehlo.add"(%arg0, %arg0) : (tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>, tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %3 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
  "func.return"() : () -> ()
}

// CHECK:  func.func private @forms(tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01}>>, tensor<!quant.uniform<u8<0:100>:f32, 1.000000e-03>>, tensor<!quant.uniform<i8:f32, 1.000000e+00>>)
func.func private @forms(tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:0}>>, tensor<!quant.uniform<u8<0:100>:f32, 1.0e-3>>, tensor<!quant.uniform<i8<-128:127>:f32, 1.0>>)

// Equal ones are one type.
// CHECK:  func.func @equal(%arg0: tensor<2x!quant.uniform<i8:f32, 1.230000e-05:1>>) -> tensor<2x!quant.uniform<i8:f32, 1.230000e-05:1>> {
func.func @equal(%arg0: tensor<2x!quant.uniform<i8:f32, 0.0000123:1>>) -> tensor<2x!quant.uniform<i8:f32, 1.23e-5:1>> {
  return %arg0 : tensor<2x!quant.uniform<i8:f32, 12.3e-6 : 1>>
}
