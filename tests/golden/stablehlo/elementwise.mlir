// Elementwise ops: the pretty form, from the generic one and back.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @unary(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<i1>, %arg3: tensor<4xcomplex<f64>>) {
// CHECK-NEXT:    %0 = stablehlo.abs %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %1 = stablehlo.abs %arg3 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT:    %2 = stablehlo.cbrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %3 = stablehlo.ceil %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %4 = stablehlo.cosine %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %5 = stablehlo.count_leading_zeros %arg1 : tensor<2x3xi32>
// CHECK-NEXT:    %6 = stablehlo.exponential %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %7 = stablehlo.exponential_minus_one %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %8 = stablehlo.floor %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %9 = stablehlo.imag %arg3 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT:    %10 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %11 = stablehlo.log %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %12 = stablehlo.log_plus_one %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %13 = stablehlo.logistic %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %14 = stablehlo.negate %arg1 : tensor<2x3xi32>
// CHECK-NEXT:    %15 = stablehlo.not %arg2 : tensor<i1>
// CHECK-NEXT:    %16 = stablehlo.popcnt %arg1 : tensor<2x3xi32>
// CHECK-NEXT:    %17 = stablehlo.real %arg3 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT:    %18 = stablehlo.round_nearest_afz %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %19 = stablehlo.round_nearest_even %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %20 = stablehlo.rsqrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %21 = stablehlo.sign %arg1 : tensor<2x3xi32>
// CHECK-NEXT:    %22 = stablehlo.sine %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %23 = stablehlo.sqrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %24 = stablehlo.tan %arg0 : tensor<2x3xf32>
// CHECK-NEXT:    %25 = stablehlo.tanh %arg0 {note = "kept"} : tensor<2x3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @unary(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<i1>, %arg3: tensor<4xcomplex<f64>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.abs"(%arg3) : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %2 = "stablehlo.cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "stablehlo.ceil"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "stablehlo.cosine"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "stablehlo.count_leading_zeros"(%arg1) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %6 = "stablehlo.exponential"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = "stablehlo.floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = "stablehlo.imag"(%arg3) : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %10 = "stablehlo.is_finite"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %11 = "stablehlo.log"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = "stablehlo.logistic"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = "stablehlo.negate"(%arg1) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %15 = "stablehlo.not"(%arg2) : (tensor<i1>) -> tensor<i1>
  %16 = "stablehlo.popcnt"(%arg1) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %17 = "stablehlo.real"(%arg3) : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %18 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = "stablehlo.rsqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = "stablehlo.sign"(%arg1) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %22 = "stablehlo.sine"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = "stablehlo.sqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = "stablehlo.tan"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = "stablehlo.tanh"(%arg0) {note = "kept"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @binary(%arg0: tensor<5xf32>, %arg1: tensor<5xui8>, %arg2: tensor<5xi1>) {
// CHECK-NEXT:    %0 = stablehlo.add %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %1 = stablehlo.and %arg2, %arg2 : tensor<5xi1>
// CHECK-NEXT:    %2 = stablehlo.atan2 %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %3 = stablehlo.complex %arg0, %arg0 : tensor<5xcomplex<f32>>
// CHECK-NEXT:    %4 = stablehlo.divide %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    %5 = stablehlo.maximum %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %6 = stablehlo.minimum %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %7 = stablehlo.multiply %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %8 = stablehlo.or %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    %9 = stablehlo.power %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %10 = stablehlo.remainder %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %11 = stablehlo.shift_left %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    %12 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    %13 = stablehlo.shift_right_logical %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    %14 = stablehlo.subtract %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %15 = stablehlo.xor %arg1, %arg1 : tensor<5xui8>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @binary(%arg0: tensor<5xf32>, %arg1: tensor<5xui8>, %arg2: tensor<5xi1>) {
  %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %1 = "stablehlo.and"(%arg2, %arg2) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
  %2 = "stablehlo.atan2"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %3 = "stablehlo.complex"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xcomplex<f32>>
  %4 = "stablehlo.divide"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %5 = "stablehlo.maximum"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %6 = "stablehlo.minimum"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %7 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %8 = "stablehlo.or"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %9 = "stablehlo.power"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %10 = "stablehlo.remainder"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %11 = "stablehlo.shift_left"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %12 = "stablehlo.shift_right_arithmetic"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %13 = "stablehlo.shift_right_logical"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %14 = "stablehlo.subtract"(%arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %15 = "stablehlo.xor"(%arg1, %arg1) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  "func.return"() : () -> ()
}

// CHECK:  func.func @other(%arg0: tensor<5xf32>, %arg1: tensor<5xi1>, %arg2: tensor<i1>, %arg3: tensor<f32>, %arg4: tensor<2xi64>) {
// CHECK-NEXT:    %0 = stablehlo.bitcast_convert %arg0 : (tensor<5xf32>) -> tensor<5xi32>
// CHECK-NEXT:    %1 = stablehlo.bitcast_convert %arg4 : (tensor<2xi64>) -> tensor<2x4xbf16>
// CHECK-NEXT:    %2 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<5xf32>
// CHECK-NEXT:    %3 = stablehlo.clamp %arg3, %arg0, %arg3 : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
// CHECK-NEXT:    %4 = stablehlo.compare EQ, %arg0, %arg0 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT:    %5 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT:    %6 = stablehlo.compare GE, %arg0, %arg0, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT:    %7 = stablehlo.compare GT, %arg4, %arg4, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// CHECK-NEXT:    %8 = stablehlo.compare LE, %arg1, %arg1, UNSIGNED : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
// CHECK-NEXT:    %9 = stablehlo.compare LT, %arg0, %arg0, NOTYPE {note = 1 : i32} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT:    %10 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xf64>
// CHECK-NEXT:    %11 = stablehlo.convert %arg0 : tensor<5xf32>
// CHECK-NEXT:    %12 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<5xf32>
// CHECK-NEXT:    %13 = stablehlo.select %arg1, %arg0, %arg0 : tensor<5xi1>, tensor<5xf32>
// CHECK-NEXT:    %14 = stablehlo.select %arg2, %arg0, %arg0 : tensor<i1>, tensor<5xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @other(%arg0: tensor<5xf32>, %arg1: tensor<5xi1>, %arg2: tensor<i1>, %arg3: tensor<f32>, %arg4: tensor<2xi64>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<5xf32>) -> tensor<5xi32>
  %1 = "stablehlo.bitcast_convert"(%arg4) : (tensor<2xi64>) -> tensor<2x4xbf16>
  %2 = "stablehlo.clamp"(%arg0, %arg0, %arg0) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %3 = "stablehlo.clamp"(%arg3, %arg0, %arg3) : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %4 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %5 = "stablehlo.compare"(%arg0, %arg0) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %6 = "stablehlo.compare"(%arg0, %arg0) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %7 = "stablehlo.compare"(%arg4, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %8 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
  %9 = "stablehlo.compare"(%arg0, %arg0) <{compare_type = #stablehlo<comparison_type NOTYPE>, comparison_direction = #stablehlo<comparison_direction LT>}> {note = 1 : i32} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %10 = "stablehlo.convert"(%arg0) : (tensor<5xf32>) -> tensor<5xf64>
  %11 = "stablehlo.convert"(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  %12 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<5xf32>) -> tensor<5xf32>
  %13 = "stablehlo.select"(%arg1, %arg0, %arg0) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %14 = "stablehlo.select"(%arg2, %arg0, %arg0) : (tensor<i1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @dynamic(%arg0: tensor<?xf32>, %arg1: tensor<5xf32>) {
// CHECK-NEXT:    %0 = stablehlo.add %arg0, %arg1 : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>
// CHECK-NEXT:    %1 = stablehlo.abs %arg0 : (tensor<?xf32>) -> tensor<5xf32>
// CHECK-NEXT:    %2 = stablehlo.compare LT, %arg0, %arg1 : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xi1>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @dynamic(%arg0: tensor<?xf32>, %arg1: tensor<5xf32>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>
  %1 = "stablehlo.abs"(%arg0) : (tensor<?xf32>) -> tensor<5xf32>
  %2 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xi1>
  "func.return"() : () -> ()
}

// CHECK:  func.func @accuracy(%arg0: tensor<2xf32>) {
// CHECK-NEXT:    %0 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
// CHECK-NEXT:    %1 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-04, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @accuracy(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.exponential"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.tanh"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-04, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  "func.return"() : () -> ()
}
