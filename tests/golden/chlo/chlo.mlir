// Every chlo op, from the generic form and back.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @unary(%arg0: tensor<2xf32>, %arg1: tensor<2xcomplex<f32>>) {
// CHECK-NEXT:    %0 = chlo._asin_acos_kernel %arg1 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
// CHECK-NEXT:    %1 = chlo.acos %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %2 = chlo.acosh %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %3 = chlo.asin %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %4 = chlo.asinh %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %5 = chlo.atan %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %6 = chlo.atanh %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %7 = chlo.bessel_i1e %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %8 = chlo.conj %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %9 = chlo.cosh %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %10 = chlo.digamma %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %11 = chlo.erf %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %12 = chlo.erf_inv %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %13 = chlo.erfc %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %14 = chlo.lgamma %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %15 = chlo.sinh %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %16 = chlo.square %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %17 = chlo.tan %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %18 = chlo.is_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    %19 = chlo.is_neg_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    %20 = chlo.is_pos_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @unary(%arg0: tensor<2xf32>, %arg1: tensor<2xcomplex<f32>>) {
  %0 = "chlo._asin_acos_kernel"(%arg1) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %1 = "chlo.acos"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "chlo.acosh"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "chlo.asin"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %4 = "chlo.asinh"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = "chlo.atan"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %6 = "chlo.atanh"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %7 = "chlo.bessel_i1e"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %8 = "chlo.conj"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %9 = "chlo.cosh"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %10 = "chlo.digamma"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %11 = "chlo.erf"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %12 = "chlo.erf_inv"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %13 = "chlo.erfc"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %14 = "chlo.lgamma"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %15 = "chlo.sinh"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %16 = "chlo.square"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %17 = "chlo.tan"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %18 = "chlo.is_inf"(%arg0) : (tensor<2xf32>) -> tensor<2xi1>
  %19 = "chlo.is_neg_inf"(%arg0) : (tensor<2xf32>) -> tensor<2xi1>
  %20 = "chlo.is_pos_inf"(%arg0) : (tensor<2xf32>) -> tensor<2xi1>
  "func.return"() : () -> ()
}

// CHECK:  func.func @binary(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
// CHECK-NEXT:    %0 = chlo.next_after %arg0, %arg0 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %1 = chlo.polygamma %arg0, %arg0 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %2 = chlo.zeta %arg0, %arg0 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %3 = chlo.mulhi %arg1, %arg1 : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @binary(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
  %0 = "chlo.next_after"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "chlo.polygamma"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "chlo.zeta"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "chlo.mulhi"(%arg1, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @broadcast(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x1xi32>, %arg3: tensor<i1>) {
// CHECK-NEXT:    %0 = chlo.broadcast_add %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1 = chlo.broadcast_atan2 %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %2 = chlo.broadcast_divide %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = chlo.broadcast_maximum %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %4 = chlo.broadcast_minimum %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %5 = chlo.broadcast_multiply %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %6 = chlo.broadcast_next_after %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %7 = chlo.broadcast_polygamma %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %8 = chlo.broadcast_power %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %9 = chlo.broadcast_remainder %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %10 = chlo.broadcast_subtract %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %11 = chlo.broadcast_zeta %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %12 = chlo.broadcast_and %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %13 = chlo.broadcast_or %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %14 = chlo.broadcast_shift_left %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %15 = chlo.broadcast_shift_right_arithmetic %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %16 = chlo.broadcast_shift_right_logical %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %17 = chlo.broadcast_xor %arg2, %arg2 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %18 = chlo.broadcast_add %arg0, %arg1 {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %19 = chlo.broadcast_complex %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
// CHECK-NEXT:    %20 = chlo.broadcast_compare %arg0, %arg1 {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction NE>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %21 = chlo.broadcast_select %arg3, %arg0, %arg1 : (tensor<i1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @broadcast(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x1xi32>, %arg3: tensor<i1>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %5 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %6 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %8 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %9 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %10 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %11 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %12 = "chlo.broadcast_and"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %13 = "chlo.broadcast_or"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %14 = "chlo.broadcast_shift_left"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %15 = "chlo.broadcast_shift_right_arithmetic"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %16 = "chlo.broadcast_shift_right_logical"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %17 = "chlo.broadcast_xor"(%arg2, %arg2) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %18 = "chlo.broadcast_add"(%arg0, %arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %19 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %20 = "chlo.broadcast_compare"(%arg0, %arg1) <{compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %21 = "chlo.broadcast_select"(%arg3, %arg0, %arg1) : (tensor<i1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @others(%arg0: tensor<16x16xf32>, %arg1: tensor<*xf32>, %arg2: tensor<11x5xf32>, %arg3: tensor<3x5x7xf32>, %arg4: tensor<3xi64>) {
// CHECK-NEXT:    %values, %indices = chlo.top_k(%arg0, k = 8) : tensor<16x16xf32> -> (tensor<16x8xf32>, tensor<16x8xi32>)
// CHECK-NEXT:    %0 = chlo.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %1 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK-NEXT:    %2 = chlo.erf %arg1 : tensor<*xf32> -> tensor<*xf32>
// CHECK-NEXT:    %3 = "chlo.ragged_dot"(%arg2, %arg3, %arg4) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @others(%arg0: tensor<16x16xf32>, %arg1: tensor<*xf32>, %arg2: tensor<11x5xf32>, %arg3: tensor<3x5x7xf32>, %arg4: tensor<3xi64>) {
  %0:2 = "chlo.top_k"(%arg0) <{k = 8 : i64}> : (tensor<16x16xf32>) -> (tensor<16x8xf32>, tensor<16x8xi32>)
  %1 = "chlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
  %2 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = "chlo.erf"(%arg1) : (tensor<*xf32>) -> tensor<*xf32>
  %4 = "chlo.ragged_dot"(%arg2, %arg3, %arg4) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @scan(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
// CHECK-NEXT:    %0:2 = chlo.scan(%arg0) inits (%arg1) dimension=0  {
// CHECK-NEXT:    ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
// CHECK-NEXT:      %1 = stablehlo.add %input, %carry : tensor<3xf32>
// CHECK-NEXT:      stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT:    } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @scan(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg2: tensor<3xf32>, %arg3: tensor<3xf32>):
    %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "stablehlo.return"(%1, %1) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  "func.return"() : () -> ()
}
