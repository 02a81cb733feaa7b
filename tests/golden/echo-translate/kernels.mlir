// Every kind of kernel, and every elementwise function in every float type, is PTX that ptxas takes, for both
// architectures; and host code.
// RUN: echo-translate --emit=ptx --target=sm_80 %s -o %t.80.ptx && ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: echo-translate --emit=ptx --target=sm_90 %s -o %t.90.ptx && ptxas -arch=sm_90 %t.90.ptx -o %t.90.cubin
// RUN: FileCheck %s < %t.80.ptx
// REQUIRES: ptxas

// CHECK:      .target sm_80
// CHECK:      // kernel math_f32__0 (map): grid {{[0-9]+}}, block {{[0-9]+}}
// CHECK-NEXT: //   stablehlo.exponential {{.*}}kernels.mlir:{{[0-9]+}}:{{[0-9]+}}
// CHECK:      .visible .entry math_f32__0(
// CHECK:      .maxntid 256, 1, 1
// CHECK:      // kernel matmul_f32__0 (contraction): grid {{[0-9]+}}, block 256

"kernel.func"() <{sym_name = "math_f32", kind = "map", function_type = (tensor<64x33xf32>, tensor<64x33xf32>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xf32>, %b: tensor<64x33xf32>):
  %0 = stablehlo.exponential %a : tensor<64x33xf32>
  %1 = stablehlo.exponential_minus_one %0 : tensor<64x33xf32>
  %2 = stablehlo.log %1 : tensor<64x33xf32>
  %3 = stablehlo.log_plus_one %2 : tensor<64x33xf32>
  %4 = stablehlo.tanh %3 : tensor<64x33xf32>
  %5 = stablehlo.logistic %4 : tensor<64x33xf32>
  %6 = stablehlo.sine %5 : tensor<64x33xf32>
  %7 = stablehlo.cosine %6 : tensor<64x33xf32>
  %8 = stablehlo.tan %7 : tensor<64x33xf32>
  %9 = stablehlo.cbrt %8 : tensor<64x33xf32>
  %10 = stablehlo.rsqrt %9 : tensor<64x33xf32>
  %11 = stablehlo.sqrt %10 : tensor<64x33xf32>
  %12 = stablehlo.round_nearest_afz %11 : tensor<64x33xf32>
  %13 = stablehlo.round_nearest_even %12 : tensor<64x33xf32>
  %14 = stablehlo.floor %13 : tensor<64x33xf32>
  %15 = stablehlo.ceil %14 : tensor<64x33xf32>
  %16 = stablehlo.sign %15 : tensor<64x33xf32>
  %17 = stablehlo.abs %16 : tensor<64x33xf32>
  %18 = stablehlo.negate %17 : tensor<64x33xf32>
  %19 = stablehlo.add %18, %b : tensor<64x33xf32>
  %20 = stablehlo.subtract %19, %b : tensor<64x33xf32>
  %21 = stablehlo.multiply %20, %b : tensor<64x33xf32>
  %22 = stablehlo.divide %21, %b : tensor<64x33xf32>
  %23 = stablehlo.maximum %22, %b : tensor<64x33xf32>
  %24 = stablehlo.minimum %23, %b : tensor<64x33xf32>
  %25 = stablehlo.power %24, %b : tensor<64x33xf32>
  %26 = stablehlo.atan2 %25, %b : tensor<64x33xf32>
  %27 = stablehlo.remainder %26, %b : tensor<64x33xf32>
  "kernel.return"(%27) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "math_f64", kind = "map", function_type = (tensor<64x33xf64>, tensor<64x33xf64>) -> (tensor<64x33xf64>)}> ({
^bb0(%a: tensor<64x33xf64>, %b: tensor<64x33xf64>):
  %0 = stablehlo.exponential %a : tensor<64x33xf64>
  %1 = stablehlo.exponential_minus_one %0 : tensor<64x33xf64>
  %2 = stablehlo.log %1 : tensor<64x33xf64>
  %3 = stablehlo.log_plus_one %2 : tensor<64x33xf64>
  %4 = stablehlo.tanh %3 : tensor<64x33xf64>
  %5 = stablehlo.logistic %4 : tensor<64x33xf64>
  %6 = stablehlo.sine %5 : tensor<64x33xf64>
  %7 = stablehlo.cosine %6 : tensor<64x33xf64>
  %8 = stablehlo.tan %7 : tensor<64x33xf64>
  %9 = stablehlo.cbrt %8 : tensor<64x33xf64>
  %10 = stablehlo.rsqrt %9 : tensor<64x33xf64>
  %11 = stablehlo.sqrt %10 : tensor<64x33xf64>
  %12 = stablehlo.round_nearest_afz %11 : tensor<64x33xf64>
  %13 = stablehlo.round_nearest_even %12 : tensor<64x33xf64>
  %14 = stablehlo.floor %13 : tensor<64x33xf64>
  %15 = stablehlo.ceil %14 : tensor<64x33xf64>
  %16 = stablehlo.sign %15 : tensor<64x33xf64>
  %17 = stablehlo.abs %16 : tensor<64x33xf64>
  %18 = stablehlo.negate %17 : tensor<64x33xf64>
  %19 = stablehlo.add %18, %b : tensor<64x33xf64>
  %20 = stablehlo.subtract %19, %b : tensor<64x33xf64>
  %21 = stablehlo.multiply %20, %b : tensor<64x33xf64>
  %22 = stablehlo.divide %21, %b : tensor<64x33xf64>
  %23 = stablehlo.maximum %22, %b : tensor<64x33xf64>
  %24 = stablehlo.minimum %23, %b : tensor<64x33xf64>
  %25 = stablehlo.power %24, %b : tensor<64x33xf64>
  %26 = stablehlo.atan2 %25, %b : tensor<64x33xf64>
  %27 = stablehlo.remainder %26, %b : tensor<64x33xf64>
  "kernel.return"(%27) : (tensor<64x33xf64>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "math_f16", kind = "map", function_type = (tensor<64x33xf16>, tensor<64x33xf16>) -> (tensor<64x33xf16>)}> ({
^bb0(%a: tensor<64x33xf16>, %b: tensor<64x33xf16>):
  %0 = stablehlo.exponential %a : tensor<64x33xf16>
  %1 = stablehlo.exponential_minus_one %0 : tensor<64x33xf16>
  %2 = stablehlo.log %1 : tensor<64x33xf16>
  %3 = stablehlo.log_plus_one %2 : tensor<64x33xf16>
  %4 = stablehlo.tanh %3 : tensor<64x33xf16>
  %5 = stablehlo.logistic %4 : tensor<64x33xf16>
  %6 = stablehlo.sine %5 : tensor<64x33xf16>
  %7 = stablehlo.cosine %6 : tensor<64x33xf16>
  %8 = stablehlo.tan %7 : tensor<64x33xf16>
  %9 = stablehlo.cbrt %8 : tensor<64x33xf16>
  %10 = stablehlo.rsqrt %9 : tensor<64x33xf16>
  %11 = stablehlo.sqrt %10 : tensor<64x33xf16>
  %12 = stablehlo.round_nearest_afz %11 : tensor<64x33xf16>
  %13 = stablehlo.round_nearest_even %12 : tensor<64x33xf16>
  %14 = stablehlo.floor %13 : tensor<64x33xf16>
  %15 = stablehlo.ceil %14 : tensor<64x33xf16>
  %16 = stablehlo.sign %15 : tensor<64x33xf16>
  %17 = stablehlo.abs %16 : tensor<64x33xf16>
  %18 = stablehlo.negate %17 : tensor<64x33xf16>
  %19 = stablehlo.add %18, %b : tensor<64x33xf16>
  %20 = stablehlo.subtract %19, %b : tensor<64x33xf16>
  %21 = stablehlo.multiply %20, %b : tensor<64x33xf16>
  %22 = stablehlo.divide %21, %b : tensor<64x33xf16>
  %23 = stablehlo.maximum %22, %b : tensor<64x33xf16>
  %24 = stablehlo.minimum %23, %b : tensor<64x33xf16>
  %25 = stablehlo.power %24, %b : tensor<64x33xf16>
  %26 = stablehlo.atan2 %25, %b : tensor<64x33xf16>
  %27 = stablehlo.remainder %26, %b : tensor<64x33xf16>
  "kernel.return"(%27) : (tensor<64x33xf16>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "math_bf16", kind = "map", function_type = (tensor<64x33xbf16>, tensor<64x33xbf16>) -> (tensor<64x33xbf16>)}> ({
^bb0(%a: tensor<64x33xbf16>, %b: tensor<64x33xbf16>):
  %0 = stablehlo.exponential %a : tensor<64x33xbf16>
  %1 = stablehlo.exponential_minus_one %0 : tensor<64x33xbf16>
  %2 = stablehlo.log %1 : tensor<64x33xbf16>
  %3 = stablehlo.log_plus_one %2 : tensor<64x33xbf16>
  %4 = stablehlo.tanh %3 : tensor<64x33xbf16>
  %5 = stablehlo.logistic %4 : tensor<64x33xbf16>
  %6 = stablehlo.sine %5 : tensor<64x33xbf16>
  %7 = stablehlo.cosine %6 : tensor<64x33xbf16>
  %8 = stablehlo.tan %7 : tensor<64x33xbf16>
  %9 = stablehlo.cbrt %8 : tensor<64x33xbf16>
  %10 = stablehlo.rsqrt %9 : tensor<64x33xbf16>
  %11 = stablehlo.sqrt %10 : tensor<64x33xbf16>
  %12 = stablehlo.round_nearest_afz %11 : tensor<64x33xbf16>
  %13 = stablehlo.round_nearest_even %12 : tensor<64x33xbf16>
  %14 = stablehlo.floor %13 : tensor<64x33xbf16>
  %15 = stablehlo.ceil %14 : tensor<64x33xbf16>
  %16 = stablehlo.sign %15 : tensor<64x33xbf16>
  %17 = stablehlo.abs %16 : tensor<64x33xbf16>
  %18 = stablehlo.negate %17 : tensor<64x33xbf16>
  %19 = stablehlo.add %18, %b : tensor<64x33xbf16>
  %20 = stablehlo.subtract %19, %b : tensor<64x33xbf16>
  %21 = stablehlo.multiply %20, %b : tensor<64x33xbf16>
  %22 = stablehlo.divide %21, %b : tensor<64x33xbf16>
  %23 = stablehlo.maximum %22, %b : tensor<64x33xbf16>
  %24 = stablehlo.minimum %23, %b : tensor<64x33xbf16>
  %25 = stablehlo.power %24, %b : tensor<64x33xbf16>
  %26 = stablehlo.atan2 %25, %b : tensor<64x33xbf16>
  %27 = stablehlo.remainder %26, %b : tensor<64x33xbf16>
  "kernel.return"(%27) : (tensor<64x33xbf16>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "integers_i8", kind = "map", function_type = (tensor<64x33xi8>, tensor<64x33xi8>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xi8>, %b: tensor<64x33xi8>):
  %0 = stablehlo.add %a, %b : tensor<64x33xi8>
  %1 = stablehlo.subtract %0, %b : tensor<64x33xi8>
  %2 = stablehlo.multiply %1, %b : tensor<64x33xi8>
  %3 = stablehlo.divide %2, %b : tensor<64x33xi8>
  %4 = stablehlo.remainder %3, %b : tensor<64x33xi8>
  %5 = stablehlo.maximum %4, %b : tensor<64x33xi8>
  %6 = stablehlo.minimum %5, %b : tensor<64x33xi8>
  %7 = stablehlo.and %6, %b : tensor<64x33xi8>
  %8 = stablehlo.or %7, %b : tensor<64x33xi8>
  %9 = stablehlo.xor %8, %b : tensor<64x33xi8>
  %10 = stablehlo.shift_left %9, %b : tensor<64x33xi8>
  %11 = stablehlo.shift_right_logical %10, %b : tensor<64x33xi8>
  %12 = stablehlo.shift_right_arithmetic %11, %b : tensor<64x33xi8>
  %13 = stablehlo.power %12, %b : tensor<64x33xi8>
  %c = stablehlo.popcnt %13 : tensor<64x33xi8>
  %d = stablehlo.count_leading_zeros %c : tensor<64x33xi8>
  %e = stablehlo.convert %d : (tensor<64x33xi8>) -> tensor<64x33xf32>
  "kernel.return"(%e) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "integers_i32", kind = "map", function_type = (tensor<64x33xi32>, tensor<64x33xi32>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xi32>, %b: tensor<64x33xi32>):
  %0 = stablehlo.add %a, %b : tensor<64x33xi32>
  %1 = stablehlo.subtract %0, %b : tensor<64x33xi32>
  %2 = stablehlo.multiply %1, %b : tensor<64x33xi32>
  %3 = stablehlo.divide %2, %b : tensor<64x33xi32>
  %4 = stablehlo.remainder %3, %b : tensor<64x33xi32>
  %5 = stablehlo.maximum %4, %b : tensor<64x33xi32>
  %6 = stablehlo.minimum %5, %b : tensor<64x33xi32>
  %7 = stablehlo.and %6, %b : tensor<64x33xi32>
  %8 = stablehlo.or %7, %b : tensor<64x33xi32>
  %9 = stablehlo.xor %8, %b : tensor<64x33xi32>
  %10 = stablehlo.shift_left %9, %b : tensor<64x33xi32>
  %11 = stablehlo.shift_right_logical %10, %b : tensor<64x33xi32>
  %12 = stablehlo.shift_right_arithmetic %11, %b : tensor<64x33xi32>
  %13 = stablehlo.power %12, %b : tensor<64x33xi32>
  %c = stablehlo.popcnt %13 : tensor<64x33xi32>
  %d = stablehlo.count_leading_zeros %c : tensor<64x33xi32>
  %e = stablehlo.convert %d : (tensor<64x33xi32>) -> tensor<64x33xf32>
  "kernel.return"(%e) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "integers_i64", kind = "map", function_type = (tensor<64x33xi64>, tensor<64x33xi64>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xi64>, %b: tensor<64x33xi64>):
  %0 = stablehlo.add %a, %b : tensor<64x33xi64>
  %1 = stablehlo.subtract %0, %b : tensor<64x33xi64>
  %2 = stablehlo.multiply %1, %b : tensor<64x33xi64>
  %3 = stablehlo.divide %2, %b : tensor<64x33xi64>
  %4 = stablehlo.remainder %3, %b : tensor<64x33xi64>
  %5 = stablehlo.maximum %4, %b : tensor<64x33xi64>
  %6 = stablehlo.minimum %5, %b : tensor<64x33xi64>
  %7 = stablehlo.and %6, %b : tensor<64x33xi64>
  %8 = stablehlo.or %7, %b : tensor<64x33xi64>
  %9 = stablehlo.xor %8, %b : tensor<64x33xi64>
  %10 = stablehlo.shift_left %9, %b : tensor<64x33xi64>
  %11 = stablehlo.shift_right_logical %10, %b : tensor<64x33xi64>
  %12 = stablehlo.shift_right_arithmetic %11, %b : tensor<64x33xi64>
  %13 = stablehlo.power %12, %b : tensor<64x33xi64>
  %c = stablehlo.popcnt %13 : tensor<64x33xi64>
  %d = stablehlo.count_leading_zeros %c : tensor<64x33xi64>
  %e = stablehlo.convert %d : (tensor<64x33xi64>) -> tensor<64x33xf32>
  "kernel.return"(%e) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "integers_ui16", kind = "map", function_type = (tensor<64x33xui16>, tensor<64x33xui16>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xui16>, %b: tensor<64x33xui16>):
  %0 = stablehlo.add %a, %b : tensor<64x33xui16>
  %1 = stablehlo.subtract %0, %b : tensor<64x33xui16>
  %2 = stablehlo.multiply %1, %b : tensor<64x33xui16>
  %3 = stablehlo.divide %2, %b : tensor<64x33xui16>
  %4 = stablehlo.remainder %3, %b : tensor<64x33xui16>
  %5 = stablehlo.maximum %4, %b : tensor<64x33xui16>
  %6 = stablehlo.minimum %5, %b : tensor<64x33xui16>
  %7 = stablehlo.and %6, %b : tensor<64x33xui16>
  %8 = stablehlo.or %7, %b : tensor<64x33xui16>
  %9 = stablehlo.xor %8, %b : tensor<64x33xui16>
  %10 = stablehlo.shift_left %9, %b : tensor<64x33xui16>
  %11 = stablehlo.shift_right_logical %10, %b : tensor<64x33xui16>
  %12 = stablehlo.shift_right_arithmetic %11, %b : tensor<64x33xui16>
  %13 = stablehlo.power %12, %b : tensor<64x33xui16>
  %c = stablehlo.popcnt %13 : tensor<64x33xui16>
  %d = stablehlo.count_leading_zeros %c : tensor<64x33xui16>
  %e = stablehlo.convert %d : (tensor<64x33xui16>) -> tensor<64x33xf32>
  "kernel.return"(%e) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "integers_ui64", kind = "map", function_type = (tensor<64x33xui64>, tensor<64x33xui64>) -> (tensor<64x33xf32>)}> ({
^bb0(%a: tensor<64x33xui64>, %b: tensor<64x33xui64>):
  %0 = stablehlo.add %a, %b : tensor<64x33xui64>
  %1 = stablehlo.subtract %0, %b : tensor<64x33xui64>
  %2 = stablehlo.multiply %1, %b : tensor<64x33xui64>
  %3 = stablehlo.divide %2, %b : tensor<64x33xui64>
  %4 = stablehlo.remainder %3, %b : tensor<64x33xui64>
  %5 = stablehlo.maximum %4, %b : tensor<64x33xui64>
  %6 = stablehlo.minimum %5, %b : tensor<64x33xui64>
  %7 = stablehlo.and %6, %b : tensor<64x33xui64>
  %8 = stablehlo.or %7, %b : tensor<64x33xui64>
  %9 = stablehlo.xor %8, %b : tensor<64x33xui64>
  %10 = stablehlo.shift_left %9, %b : tensor<64x33xui64>
  %11 = stablehlo.shift_right_logical %10, %b : tensor<64x33xui64>
  %12 = stablehlo.shift_right_arithmetic %11, %b : tensor<64x33xui64>
  %13 = stablehlo.power %12, %b : tensor<64x33xui64>
  %c = stablehlo.popcnt %13 : tensor<64x33xui64>
  %d = stablehlo.count_leading_zeros %c : tensor<64x33xui64>
  %e = stablehlo.convert %d : (tensor<64x33xui64>) -> tensor<64x33xf32>
  "kernel.return"(%e) : (tensor<64x33xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "softmax", kind = "row_reduce", function_type = (tensor<9x50xf32>) -> (tensor<9x50xf32>)}> ({
^bb0(%x: tensor<9x50xf32>):
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<9x50xf32>, tensor<f32>) -> tensor<9xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<9xf32>) -> tensor<9x50xf32>
  %d = stablehlo.subtract %x, %mb : tensor<9x50xf32>
  %e = stablehlo.exponential %d : tensor<9x50xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<9x50xf32>, tensor<f32>) -> tensor<9xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<9xf32>) -> tensor<9x50xf32>
  %r = stablehlo.divide %e, %sb : tensor<9x50xf32>
  "kernel.return"(%r) : (tensor<9x50xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "columns", kind = "column_reduce", function_type = (tensor<3x70x96xf64>) -> (tensor<3x96xf64>)}> ({
^bb0(%x: tensor<3x70x96xf64>):
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x70x96xf64>, tensor<f64>) -> tensor<3x96xf64>
  "kernel.return"(%s) : (tensor<3x96xf64>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "matmul_f32", kind = "contraction", function_type = (tensor<100x70xf32>, tensor<70x90xf32>) -> (tensor<100x90xf32>)}> ({
^bb0(%a: tensor<100x70xf32>, %b: tensor<70x90xf32>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x70xf32>, tensor<70x90xf32>) -> tensor<100x90xf32>
  "kernel.return"(%0) : (tensor<100x90xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "matmul_f64", kind = "contraction", function_type = (tensor<100x70xf64>, tensor<70x90xf64>) -> (tensor<100x90xf64>)}> ({
^bb0(%a: tensor<100x70xf64>, %b: tensor<70x90xf64>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x70xf64>, tensor<70x90xf64>) -> tensor<100x90xf64>
  "kernel.return"(%0) : (tensor<100x90xf64>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "matmul_f16", kind = "contraction", function_type = (tensor<100x70xf16>, tensor<70x90xf16>) -> (tensor<100x90xf16>)}> ({
^bb0(%a: tensor<100x70xf16>, %b: tensor<70x90xf16>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x70xf16>, tensor<70x90xf16>) -> tensor<100x90xf16>
  "kernel.return"(%0) : (tensor<100x90xf16>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "matmul_bf16", kind = "contraction", function_type = (tensor<100x70xbf16>, tensor<70x90xbf16>) -> (tensor<100x90xbf16>)}> ({
^bb0(%a: tensor<100x70xbf16>, %b: tensor<70x90xbf16>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x70xbf16>, tensor<70x90xbf16>) -> tensor<100x90xbf16>
  "kernel.return"(%0) : (tensor<100x90xbf16>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "conv", kind = "convolution", function_type = (tensor<2x9x8x3xf32>, tensor<3x3x3x20xf32>) -> (tensor<2x5x4x20xf32>)}> ({
^bb0(%a: tensor<2x9x8x3xf32>, %k: tensor<3x3x3x20xf32>):
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x3xf32>, tensor<3x3x3x20xf32>) -> tensor<2x5x4x20xf32>
  "kernel.return"(%0) : (tensor<2x5x4x20xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "scatter", kind = "scatter", function_type = (tensor<8x40xf32>, tensor<30x1xi32>, tensor<30x40xf32>) -> (tensor<8x40xf32>)}> ({
^bb0(%a: tensor<8x40xf32>, %i: tensor<30x1xi32>, %u: tensor<30x40xf32>):
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<30x1xi32>, tensor<30x40xf32>) -> tensor<8x40xf32>
  "kernel.return"(%0) : (tensor<8x40xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "sort", kind = "sort", function_type = (tensor<3x37xf32>) -> (tensor<3x37xf32>)}> ({
^bb0(%a: tensor<3x37xf32>):
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x37xf32>) -> tensor<3x37xf32>
  "kernel.return"(%0) : (tensor<3x37xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "window", kind = "window", function_type = (tensor<2x9x7x3xf32>) -> (tensor<2x5x3x3xf32>)}> ({
^bb0(%a: tensor<2x9x7x3xf32>):
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x9x7x3xf32>, tensor<f32>) -> tensor<2x5x3x3xf32>
  "kernel.return"(%0) : (tensor<2x5x3x3xf32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "rng_three_fry", kind = "rng", function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)}> ({
^bb0(%a: tensor<2xui64>):
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)
  "kernel.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<100xui32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "rng_philox", kind = "rng", function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)}> ({
^bb0(%a: tensor<2xui64>):
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)
  "kernel.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<100xui32>) -> ()
}) : () -> ()

"kernel.func"() <{sym_name = "moves", kind = "map", function_type = (tensor<6x8xf32>, tensor<4xi32>) -> (tensor<4x8xf32>, tensor<8x6xf32>)}> ({
^bb0(%a: tensor<6x8xf32>, %i: tensor<4xi32>):
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<6x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  "kernel.return"(%0, %1) : (tensor<4x8xf32>, tensor<8x6xf32>) -> ()
}) : () -> ()
