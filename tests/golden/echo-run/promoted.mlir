// Reductions, windows and scatters that compute in a wider type than their operands have.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet
// RUN: echo-opt %s --chlo-to-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @reduced
// CHECK: %[[X:.*]] = stablehlo.convert %{{.*}} : (tensor<4xi8>) -> tensor<4xi32>
// CHECK: %[[I:.*]] = stablehlo.convert %{{.*}} : (tensor<i8>) -> tensor<i32>
// CHECK: stablehlo.reduce(%[[X]] init: %[[I]])
func.func @reduced() {
  %x = stablehlo.constant dense<100> : tensor<4xi8>
  %i = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4xi8>, tensor<i8>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  check.expect_eq_const %0, dense<401> : tensor<i32>
  func.return
}

// Only the second is wider.
func.func @two() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %j = stablehlo.constant dense<0> : tensor<i8>
  %0:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [0] : (tensor<2xf32>, tensor<2xi8>, tensor<f32>, tensor<i8>) -> (tensor<f32>, tensor<i16>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i16>, %d: tensor<i16>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.add %c, %d : tensor<i16>
    stablehlo.return %s, %t : tensor<f32>, tensor<i16>
  }
  check.expect_eq_const %0#0, dense<3.0> : tensor<f32>
  check.expect_eq_const %0#1, dense<200> : tensor<i16>
  func.return
}

func.func @windows() {
  %x = stablehlo.constant dense<[100, 101, 102]> : tensor<3xi8>
  %i = stablehlo.constant dense<0> : tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %s = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %s : tensor<i16>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<2xi16>
  check.expect_eq_const %0, dense<[201, 203]> : tensor<2xi16>
  func.return
}

// Indices stay what they are.
// CHECK-LABEL: func.func @scattered
// CHECK: "stablehlo.scatter"(
// CHECK: }) : (tensor<3xi16>, tensor<2x1xi32>, tensor<2xi16>) -> tensor<3xi16>
func.func @scattered() {
  %x = stablehlo.constant dense<[100, 1, 2]> : tensor<3xi8>
  %at = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[100, 27]> : tensor<2xi8>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %s = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %s : tensor<i16>
  }) : (tensor<3xi8>, tensor<2x1xi32>, tensor<2xi8>) -> tensor<3xi16>
  check.expect_eq_const %0, dense<[227, 1, 2]> : tensor<3xi16>
  func.return
}

// What selects has its own type.
// CHECK-LABEL: func.func @selected
// CHECK: "stablehlo.select_and_scatter"(
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<i16>, %[[B:.*]]: tensor<i16>):
// CHECK-DAG: stablehlo.convert %[[A]] : (tensor<i16>) -> tensor<i8>
// CHECK-DAG: stablehlo.convert %[[B]] : (tensor<i16>) -> tensor<i8>
func.func @selected() {
  %x = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi8>
  %s = stablehlo.constant dense<[100, 101]> : tensor<2xi8>
  %i = stablehlo.constant dense<7> : tensor<i8>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<3xi8>, tensor<2xi8>, tensor<i8>) -> tensor<3xi16>
  check.expect_eq_const %0, dense<[7, 208, 7]> : tensor<3xi16>
  func.return
}

// The old ops as well.
func.func @product() {
  %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %0 = stablehlo.einsum %a, %a, config = "a,a->" : (tensor<2xi8>, tensor<2xi8>) -> tensor<i16>
  check.expect_eq_const %0, dense<20000> : tensor<i16>
  func.return
}
