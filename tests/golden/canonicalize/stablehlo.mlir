// RUN: echo-opt %s --canonicalize --dce | FileCheck %s

// ---- identities ----

// x + -0 and x - 0 are x for every x; x + 0 is not, since -0 + 0 = 0; nor is x - -0.
// CHECK-LABEL: func.func @float_zero
// CHECK-DAG:     %[[PZ:.*]] = stablehlo.constant dense<0.000000e+00>
// CHECK-DAG:     %[[NZ:.*]] = stablehlo.constant dense<-0.000000e+00>
// CHECK-DAG:     %[[A:.*]] = stablehlo.add %arg0, %[[PZ]]
// CHECK-DAG:     %[[S:.*]] = stablehlo.subtract %arg0, %[[NZ]]
// CHECK-DAG:     %[[R:.*]] = stablehlo.subtract %[[PZ]], %arg0
// CHECK:         return %arg0, %arg0, %arg0, %[[A]], %[[S]], %[[R]]
func.func @float_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %minus : tensor<4xf32>
  %1 = stablehlo.add %minus, %x : tensor<4xf32>
  %2 = stablehlo.subtract %x, %zero : tensor<4xf32>
  %3 = stablehlo.add %x, %zero : tensor<4xf32>
  %4 = stablehlo.subtract %x, %minus : tensor<4xf32>
  %5 = stablehlo.subtract %zero, %x : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @integer_zero
// CHECK:         return %arg0, %arg0, %arg0
func.func @integer_zero(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xui8>, tensor<4xui8>) {
  %zero = stablehlo.constant dense<0> : tensor<4xui8>
  %0 = stablehlo.add %x, %zero : tensor<4xui8>
  %1 = stablehlo.add %zero, %x : tensor<4xui8>
  %2 = stablehlo.subtract %x, %zero : tensor<4xui8>
  return %0, %1, %2 : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>
}

// x * 0 is NaN for an infinity and -0 for a negative number; x - x and x / x are NaN for some; 0 / x too.
// CHECK-LABEL: func.func @not_for_every_float
// CHECK-DAG:     stablehlo.multiply %arg0
// CHECK-DAG:     stablehlo.subtract %arg0, %arg0
// CHECK-DAG:     stablehlo.divide %arg0, %arg0
// CHECK-DAG:     stablehlo.divide %{{.*}}, %arg0
// CHECK-DAG:     stablehlo.compare EQ, %arg0, %arg0
func.func @not_for_every_float(%x: tensor<bf16>) -> (tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<i1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.multiply %x, %zero : tensor<bf16>
  %1 = stablehlo.subtract %x, %x : tensor<bf16>
  %2 = stablehlo.divide %x, %x : tensor<bf16>
  %3 = stablehlo.divide %zero, %x : tensor<bf16>
  %4 = stablehlo.compare EQ, %x, %x : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
  return %0, %1, %2, %3, %4 : tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<i1>
}

// CHECK-LABEL: func.func @one
// CHECK:         return %arg0, %arg0, %arg0, %arg1, %arg1
func.func @one(%x: tensor<2xf16>, %i: tensor<2xi64>) -> (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xi64>, tensor<2xi64>) {
  %one = stablehlo.constant dense<1.0> : tensor<2xf16>
  %c = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.multiply %x, %one : tensor<2xf16>
  %1 = stablehlo.multiply %one, %x : tensor<2xf16>
  %2 = stablehlo.divide %x, %one : tensor<2xf16>
  %3 = stablehlo.multiply %i, %c : tensor<2xi64>
  %4 = stablehlo.divide %i, %c : tensor<2xi64>
  return %0, %1, %2, %3, %4 : tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xi64>, tensor<2xi64>
}

// Almost one, and a one that is not everywhere.
// CHECK-LABEL: func.func @not_one
// CHECK-DAG:     stablehlo.multiply
// CHECK-DAG:     stablehlo.multiply
// CHECK-DAG:     stablehlo.divide %{{.*}}, %arg0
func.func @not_one(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %near = stablehlo.constant dense<0x3F800001> : tensor<2xf32>
  %mixed = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %near : tensor<2xf32>
  %1 = stablehlo.multiply %x, %mixed : tensor<2xf32>
  %2 = stablehlo.divide %one, %x : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// On predicates + is or: x + false = x. One operand twice is that operand.
// CHECK-LABEL: func.func @predicates
// CHECK:         return %arg0, %arg0, %arg0, %arg1, %arg1
func.func @predicates(%x: tensor<2xi1>, %y: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) {
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.add %x, %false : tensor<2xi1>
  %1 = stablehlo.and %x, %x : tensor<2xi1>
  %2 = stablehlo.or %x, %x : tensor<2xi1>
  %3 = stablehlo.maximum %y, %y : tensor<2xf32>
  %4 = stablehlo.minimum %y, %y : tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @select
// CHECK:         %[[S:.*]] = stablehlo.select %arg2, %arg0, %arg1
// CHECK:         return %arg0, %arg1, %arg0, %[[S]]
func.func @select(%x: tensor<2xf32>, %y: tensor<2xf32>, %p: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %true, %x, %y : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %false, %x, %y : tensor<i1>, tensor<2xf32>
  %2 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xf32>
  %3 = stablehlo.select %p, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// ---- movement that moves nothing ----

// CHECK-LABEL: func.func @moves_nothing
// CHECK-NEXT:    return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
func.func @moves_nothing(%x: tensor<2x3xf32>, %i: tensor<i32>, %v: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.convert %x : tensor<2x3xf32>
  %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.slice %x [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = stablehlo.concatenate %x, dim = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %9 = stablehlo.reverse %x, dims = [] : tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Of one type, yet something moves.
// CHECK-LABEL: func.func @moves_something
// CHECK-DAG:     stablehlo.broadcast_in_dim
// CHECK-DAG:     stablehlo.transpose
// CHECK-DAG:     stablehlo.pad
// CHECK-DAG:     stablehlo.pad
// CHECK-DAG:     stablehlo.reverse
func.func @moves_something(%x: tensor<3x3xf32>, %v: tensor<f32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.pad %x, %v, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %3 = stablehlo.pad %x, %v, low = [0, 0], high = [-2, 0], interior = [1, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %4 = stablehlo.reverse %x, dims = [0] : tensor<3x3xf32>
  return %0, %1, %2, %3, %4 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// ---- pairs ----

// CHECK-LABEL: func.func @pairs
// CHECK-NEXT:    %[[A:.*]] = stablehlo.abs %arg0
// CHECK-NEXT:    %[[F:.*]] = stablehlo.floor %arg0
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    return %arg0, %arg1, %[[A]], %[[F]], %arg0, %[[R]], %arg0
func.func @pairs(%x: tensor<2x3xf32>, %p: tensor<2xi1>) -> (tensor<2x3xf32>, tensor<2xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.negate %x : tensor<2x3xf32>
  %1 = stablehlo.negate %0 : tensor<2x3xf32>
  %2 = stablehlo.not %p : tensor<2xi1>
  %3 = stablehlo.not %2 : tensor<2xi1>
  %4 = stablehlo.abs %x : tensor<2x3xf32>
  %5 = stablehlo.abs %4 : tensor<2x3xf32>
  %6 = stablehlo.floor %x : tensor<2x3xf32>
  %7 = stablehlo.floor %6 : tensor<2x3xf32>
  %8 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %9 = stablehlo.reshape %8 : (tensor<6xf32>) -> tensor<2x3xf32>
  %10 = stablehlo.reshape %8 : (tensor<6xf32>) -> tensor<3x2xf32>
  %11 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1, %3, %5, %7, %9, %10, %12 : tensor<2x3xf32>, tensor<2xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>
}

// Another rounding behind the first, a rotation applied twice, a complex sign (which rounds) twice: all stay.
// CHECK-LABEL: func.func @no_pairs
// CHECK-COUNT-2: stablehlo.transpose
// CHECK:         stablehlo.floor
// CHECK:         stablehlo.ceil
// CHECK-COUNT-2: stablehlo.sign
func.func @no_pairs(%x: tensor<3x3x3xf32>, %c: tensor<2xcomplex<f32>>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %2 = stablehlo.floor %x : tensor<3x3x3xf32>
  %3 = stablehlo.ceil %2 : tensor<3x3x3xf32>
  %4 = stablehlo.sign %c : tensor<2xcomplex<f32>>
  %5 = stablehlo.sign %4 : tensor<2xcomplex<f32>>
  return %1, %3, %5 : tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<2xcomplex<f32>>
}

// ---- constants ----

// The same number moved about, of any size.
// CHECK-LABEL: func.func @splats
// CHECK-DAG:     %[[A:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<1000x1000xf32>
// CHECK-DAG:     %[[B:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<1000000xf32>
// CHECK-DAG:     %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<500x1000xf32>
// CHECK:         return %[[A]], %[[B]], %[[C]]
func.func @splats() -> (tensor<1000x1000xf32>, tensor<1000000xf32>, tensor<500x1000xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %1 = stablehlo.reshape %0 : (tensor<1000x1000xf32>) -> tensor<1000000xf32>
  %2 = stablehlo.slice %0 [0:500, 0:1000] : (tensor<1000x1000xf32>) -> tensor<500x1000xf32>
  return %0, %1, %2 : tensor<1000x1000xf32>, tensor<1000000xf32>, tensor<500x1000xf32>
}

// Correctly rounded: 1/3 in f16; 2^24 + 1 in f32 is a tie.
// CHECK-LABEL: func.func @exact
// CHECK-DAG:     %[[A:.*]] = stablehlo.constant dense<3.332520e-01> : tensor<f16>
// CHECK-DAG:     %[[B:.*]] = stablehlo.constant dense<0x4B800000> : tensor<f32>
// CHECK-DAG:     %[[C:.*]] = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG:     %[[D:.*]] = stablehlo.constant dense<[-1, 2]> : tensor<2xi32>
// CHECK-DAG:     %[[E:.*]] = stablehlo.constant dense<[7, -128]> : tensor<2xi8>
// CHECK-DAG:     %[[F:.*]] = stablehlo.constant dense<1.41421354> : tensor<f32>
// CHECK-DAG:     %[[G:.*]] = stablehlo.constant dense<{{\[\[}}1, 3], [2, 4{{\]\]}}> : tensor<2x2xi32>
// CHECK:         return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[G]]
func.func @exact() -> (tensor<f16>, tensor<f32>, tensor<2xi1>, tensor<2xi32>, tensor<2xi8>, tensor<f32>, tensor<2x2xi32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f16>
  %three = stablehlo.constant dense<3.0> : tensor<f16>
  %0 = stablehlo.divide %one, %three : tensor<f16>
  %big = stablehlo.constant dense<16777216.0> : tensor<f32>
  %unit = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.add %big, %unit : tensor<f32>
  %nan = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %2 = stablehlo.compare EQ, %nan, %nan, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %a = stablehlo.constant dense<[7, 7]> : tensor<2xi32>
  %b = stablehlo.constant dense<[0, 3]> : tensor<2xi32>
  %3 = stablehlo.divide %a, %b : tensor<2xi32>
  %d = stablehlo.constant dense<[-7, -128]> : tensor<2xi8>
  %4 = stablehlo.negate %d : tensor<2xi8>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %5 = stablehlo.sqrt %two : tensor<f32>
  %m = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %6 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<f16>, tensor<f32>, tensor<2xi1>, tensor<2xi32>, tensor<2xi8>, tensor<f32>, tensor<2x2xi32>
}

// The kernel decides the bits of transcendentals, float sums, contractions, and of a NaN that an op makes.
// CHECK-LABEL: func.func @left_to_the_kernel
// CHECK-DAG:     stablehlo.exponential
// CHECK-DAG:     stablehlo.power
// CHECK-DAG:     stablehlo.rsqrt
// CHECK-DAG:     stablehlo.reduce
// CHECK-DAG:     stablehlo.dot_general
// CHECK-DAG:     stablehlo.divide
// CHECK-DAG:     stablehlo.sqrt
// CHECK:         return
func.func @left_to_the_kernel() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<2xf32>
  %1 = stablehlo.power %x, %x : tensor<2xf32>
  %2 = stablehlo.rsqrt %x : tensor<2xf32>
  %3 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %5 = stablehlo.divide %y, %y : tensor<2xf32>
  %6 = stablehlo.sqrt %y : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>
}

// Constants of different numbers are not blown up past 64 KiB, and element types without arithmetic stay.
// CHECK-LABEL: func.func @too_large
// CHECK:         stablehlo.broadcast_in_dim
// CHECK:         stablehlo.add %{{.*}} : tensor<2xf8E5M2>
// CHECK:         stablehlo.add %{{.*}} : tensor<2xcomplex<f32>>
func.func @too_large() -> (tensor<100000x2xf32>, tensor<2xf8E5M2>, tensor<2xcomplex<f32>>) {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<100000x2xf32>
  %y = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2>
  %1 = stablehlo.add %y, %y : tensor<2xf8E5M2>
  %z = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %2 = stablehlo.add %z, %z : tensor<2xcomplex<f32>>
  return %0, %1, %2 : tensor<100000x2xf32>, tensor<2xf8E5M2>, tensor<2xcomplex<f32>>
}
