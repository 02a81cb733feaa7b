// Ops that StableHLO keeps for programs of before run by those that took their place.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet
// RUN: echo-opt %s --chlo-to-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: %[[P:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
// CHECK: stablehlo.transpose %[[P]], dims = [1, 0, 2]
func.func @product() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[2.0, 1.0], [1.0, 0.0], [0.0, 3.0]]]> : tensor<2x3x2xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ab,cbd->cad"} : (tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %0, dense<[[[4.0, 5.0], [10.0, 11.0]], [[4.0, 10.0], [13.0, 22.0]]]> : tensor<2x2x2xf32>
  func.return
}

// What one operand alone names is summed first; what both name and the result too is a batch.
// CHECK-LABEL: func.func @sums
// CHECK: stablehlo.reduce
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @sums() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,ik->ki"} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[6.0, 45.0], [12.0, 60.0]]> : tensor<2x2xf32>
  func.return
}

// CHECK-LABEL: func.func @ellipsis
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @ellipsis() {
  %a = stablehlo.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
  %b = stablehlo.constant dense<[[[1.0], [1.0]], [[2.0], [1.0]]]> : tensor<2x2x1xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "...ij, ...jk -> ...ik"} : (tensor<2x1x2xf32>, tensor<2x2x1xf32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %0, dense<[[[3.0]], [[10.0]]]> : tensor<2x1x1xf32>
  func.return
}

func.func @complex() {
  %a = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %0 = "stablehlo.einsum"(%a, %a) {einsum_config = "i,j->ij"} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %0, dense<[[(-1.0, 0.0), (0.0, 2.0)], [(0.0, 2.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  func.return
}

// CHECK-LABEL: func.func @unary
// CHECK: stablehlo.transpose
// CHECK: stablehlo.reduce
func.func @unary() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->ba"} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %1 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->a"} : (tensor<2x3xi32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[6, 15]> : tensor<2xi32>
  func.return
}

// A name that an operand has twice is its diagonal, and its trace where nothing else has it.
// CHECK-LABEL: func.func @diagonals
// CHECK: stablehlo.gather
func.func @diagonals() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, -0.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ii->i"} : (tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, -0.0]> : tensor<2xf32>
  %1 = "stablehlo.unary_einsum"(%b) {einsum_config = "iij->ji"} : (tensor<2x2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %1, dense<[[1.0, 10.0], [2.0, 11.0], [3.0, 12.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.unary_einsum"(%b) {einsum_config = "iij->j"} : (tensor<2x2x3xf32>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[11.0, 13.0, 15.0]> : tensor<3xf32>
  %3 = "stablehlo.einsum"(%b, %a) {einsum_config = "iij,kk->j"} : (tensor<2x2x3xf32>, tensor<2x2xf32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[11.0, 13.0, 15.0]> : tensor<3xf32>
  %4 = "stablehlo.einsum"(%a, %b) {einsum_config = "ii,iij->ij"} : (tensor<2x2xf32>, tensor<2x2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0], [-0.0, -0.0, -0.0]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %5 = "stablehlo.unary_einsum"(%c) {einsum_config = "iii->i"} : (tensor<2x2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %5, dense<[1, 8]> : tensor<2xi32>
  func.return
}

// CHECK-LABEL: func.func @select
// CHECK: stablehlo.gather
func.func @select() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %0, dense<[[[3, 1], [2, 2]], [[6, 4], [5, 5]]]> : tensor<2x2x2xi32>
  %1 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[3, 1], [5, 5]]> : tensor<2x2xi32>
  func.return
}

// Constants of another dialect, as other compilers write them, are constants.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: arith
func.func @constant() {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  check.expect_eq_const %0, dense<[4.0, 5.0]> : tensor<2xf32>
  func.return
}

// Results that repeat a name, sums that the result does not name and equations that are none stay as they are.
// CHECK-LABEL: func.func private @none
// CHECK-NEXT: stablehlo.unary_einsum %arg0, config = "ab->aa"
// CHECK-NEXT: stablehlo.einsum %arg0, %arg0, config = "ab,bd->ac"
// CHECK-NEXT: stablehlo.unary_einsum %arg0, config = "ab"
func.func private @none(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->aa"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.einsum"(%a, %a) {einsum_config = "ab,bd->ac"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// A transpose before a dot is a number of dot_general, for PyTorch's and other exporters' gradients
// of weights; vectors as well, and what it multiplies in another type.
// CHECK-LABEL: func.func @dots
// CHECK-NOT: stablehlo.dot
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
// CHECK-NOT: stablehlo.dot
func.func @dots() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %c = stablehlo.constant dense<100> : tensor<2xi8>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.dot %t, %b, precision = [HIGHEST, DEFAULT] : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 8.0], [2.0, 10.0], [3.0, 12.0]]> : tensor<3x2xf32>
  %1 = stablehlo.dot %c, %c : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %1, dense<20000> : tensor<i32>
  func.return
}

// CHECK-LABEL: func.func @broadcast
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2xf32>
func.func @broadcast() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast %b, sizes = [2] : (tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  check.expect_eq_const %1, dense<4.0> : tensor<2xf32>
  func.return
}
