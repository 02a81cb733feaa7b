// chlo.scan and chlo.ragged_dot as loops and in the interpreter: what stands nowhere else.
// RUN: echo-run --check --no-cache %s | FileCheck %s --check-prefix=HOLDS
// RUN: echo-run --check --device=interpreter --quiet %s
// RUN: echo-opt %s --chlo-to-stablehlo --verify-roundtrip | FileCheck %s
// HOLDS: groups.mlir: 7 passed, 0 failed, 0 refused

// Input and output, an index that no input has, and a scan in the body of a scan.
// CHECK-LABEL: func.func @nested
// CHECK:         stablehlo.while
// CHECK:           stablehlo.while
// CHECK-NOT:     chlo.scan
func.func @nested() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = chlo.scan(%x) inits (%zero) dimension=0 {
  ^bb0(%row: tensor<3xi32>, %carry: tensor<i32>):
    %1:2 = chlo.scan(%row) inits (%carry) dimension=0 {
    ^bb0(%element: tensor<i32>, %sum: tensor<i32>):
      %2 = stablehlo.add %element, %sum : tensor<i32>
      stablehlo.return %2, %2 : tensor<i32>, tensor<i32>
    } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
    stablehlo.return %1#0, %1#1 : tensor<3xi32>, tensor<i32>
  } : (tensor<2x3xi32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[[1, 3, 6], [10, 15, 21]]> : tensor<2x3xi32>
  check.expect_eq_const %0#1, dense<21> : tensor<i32>
  func.return
}

// No input: the size says how many steps there are.
func.func @counts() {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = chlo.scan() inits (%one) dimension=0 attributes {scan_dim_size = 4 : i64} {
  ^bb0(%carry: tensor<f32>):
    %1 = stablehlo.add %carry, %carry : tensor<f32>
    stablehlo.return %carry, %1 : tensor<f32>, tensor<f32>
  } : (tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  check.expect_eq_const %0#0, dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  check.expect_eq_const %0#1, dense<16.0> : tensor<f32>
  func.return
}

// CHECK-LABEL: func.func @no_steps
// CHECK-NOT:     stablehlo.while
// CHECK-LABEL: func.func @complex
func.func @no_steps() {
  %x = stablehlo.constant dense<> : tensor<0x2xi32>
  %init = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%element: tensor<2xi32>, %sum: tensor<2xi32>):
    %1 = stablehlo.add %element, %sum : tensor<2xi32>
    stablehlo.return %1, %1 : tensor<2xi32>, tensor<2xi32>
  } : (tensor<0x2xi32>, tensor<2xi32>) -> (tensor<0x2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#1, dense<[3, 4]> : tensor<2xi32>
  func.return
}

func.func @complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%element: tensor<complex<f32>>, %product: tensor<complex<f32>>):
    %1 = stablehlo.multiply %element, %product : tensor<complex<f32>>
    stablehlo.return %1, %1 : tensor<complex<f32>>, tensor<complex<f32>>
  } : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<complex<f32>>)
  check.expect_eq_const %0#0, dense<[(1.0, 2.0), (-2.0, 1.0), (-4.0, 2.0)]> : tensor<3xcomplex<f32>>
  func.return
}

// A number that is none in another group's weights is nobody's; a row of no group is zero.
// CHECK-LABEL: func.func @rows
// CHECK:         stablehlo.while
// CHECK:           stablehlo.dot_general {{.*}}precision = [HIGHEST, DEFAULT]
// CHECK:           stablehlo.select
func.func @rows() {
  %x = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %w = stablehlo.constant dense<[[[10.0]], [[0x7FC00000]], [[100.0]]]> : tensor<3x1x1xf32>
  %g = stablehlo.constant dense<[1, 0, 2]> : tensor<3xui8>
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x1xf32>, tensor<3x1x1xf32>, tensor<3xui8>) -> tensor<4x1xf32>
  check.expect_eq_const %0, dense<[[10.0], [200.0], [300.0], [0.0]]> : tensor<4x1xf32>
  func.return
}

// The contraction in groups, those of each row of the contracting dimension before it; to another type.
func.func @sums() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %w = stablehlo.constant dense<[[10.0, 10.0, 1.0], [1.0, 1.0, 10.0]]> : tensor<2x3xbf16>
  %g = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1], lhs_ragged_dimensions = [1]>}> : (tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x2xi64>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[79.0, 23.0]> : tensor<2xf32>
  func.return
}

// CHECK-LABEL: func.func @batches
// CHECK:         stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0]
func.func @batches() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %g = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %x, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[5, 25]> : tensor<2xi32>
  func.return
}
