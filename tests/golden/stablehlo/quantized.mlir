// Quantized elements are kept as text.
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
