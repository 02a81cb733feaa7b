// RUN: echo-opt --canonicalize --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt %s | echo-opt --verify-roundtrip --no-output

// Integers fold modulo their width; what would trap or be poison stays.
// CHECK-LABEL: sym_name = "integers"
// CHECK-DAG:   %[[SUM:.*]] = "arith.constant"() <{value = -128 : i8}>
// CHECK-DAG:   %[[DIV:.*]] = "arith.constant"() <{value = -3 : i32}>
// CHECK-DAG:   %[[FLOOR:.*]] = "arith.constant"() <{value = -4 : i32}>
// CHECK-DAG:   %[[UNSIGNED:.*]] = "arith.constant"() <{value = 2147483644 : i32}>
// CHECK-DAG:   %[[TRUE:.*]] = "arith.constant"() <{value = true}>
// CHECK-DAG:   %[[TRAP:.*]] = "arith.divsi"
// CHECK-DAG:   %[[POISON:.*]] = "arith.shli"
// CHECK:       "func.return"(%[[SUM]], %[[DIV]], %[[FLOOR]], %[[UNSIGNED]], %[[TRUE]], %[[TRAP]], %[[POISON]])
func.func @integers() -> (i8, i32, i32, i32, i1, i32, i32) {
  %a = "arith.constant"() <{value = 127 : i8}> : () -> i8
  %b = "arith.constant"() <{value = 1 : i8}> : () -> i8
  %0 = "arith.addi"(%a, %b) : (i8, i8) -> i8
  %m7 = "arith.constant"() <{value = -7 : i32}> : () -> i32
  %2 = "arith.constant"() <{value = 2 : i32}> : () -> i32
  %z = "arith.constant"() <{value = 0 : i32}> : () -> i32
  %w = "arith.constant"() <{value = 32 : i32}> : () -> i32
  %3 = "arith.divsi"(%m7, %2) : (i32, i32) -> i32
  %4 = "arith.floordivsi"(%m7, %2) : (i32, i32) -> i32
  %5 = "arith.divui"(%m7, %2) : (i32, i32) -> i32
  %6 = "arith.cmpi"(%m7, %2) <{predicate = 8 : i64}> : (i32, i32) -> i1
  %7 = "arith.divsi"(%m7, %z) : (i32, i32) -> i32
  %8 = "arith.shli"(%2, %w) : (i32, i32) -> i32
  return %0, %3, %4, %5, %6, %7, %8 : i8, i32, i32, i32, i1, i32, i32
}

// Identities need no constant on the left; of floats there are none (-0 + 0 is not -0).
// CHECK-LABEL: sym_name = "identities"
// CHECK-NEXT:  ^bb0(%[[A:.*]]: index, %[[X:.*]]: f32, %[[C:.*]]: i1):
// CHECK:       %[[F:.*]] = "arith.addf"(%[[X]]
// CHECK:       "func.return"(%[[A]], %[[A]], %[[F]], %[[X]], %[[A]])
func.func @identities(%a: index, %x: f32, %c: i1) -> (index, index, f32, f32, index) {
  %z = "arith.constant"() <{value = 0 : index}> : () -> index
  %o = "arith.constant"() <{value = 1 : index}> : () -> index
  %f = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
  %0 = "arith.addi"(%a, %z) : (index, index) -> index
  %1 = "arith.muli"(%a, %o) : (index, index) -> index
  %2 = "arith.addf"(%x, %f) : (f32, f32) -> f32
  %3 = "arith.select"(%c, %x, %x) : (i1, f32, f32) -> f32
  %4 = "arith.divui"(%a, %o) : (index, index) -> index
  return %0, %1, %2, %3, %4 : index, index, f32, f32, index
}

// Casts between widths and index keep the value.
// CHECK-LABEL: sym_name = "casts"
// CHECK-DAG:   %[[S:.*]] = "arith.constant"() <{value = -1 : i64}>
// CHECK-DAG:   %[[U:.*]] = "arith.constant"() <{value = 255 : i64}>
// CHECK-DAG:   %[[T:.*]] = "arith.constant"() <{value = 44 : i8}>
// CHECK-DAG:   %[[I:.*]] = "arith.constant"() <{value = -1 : index}>
// CHECK:       "func.return"(%[[S]], %[[U]], %[[T]], %[[I]])
func.func @casts() -> (i64, i64, i8, index) {
  %m = "arith.constant"() <{value = -1 : i8}> : () -> i8
  %l = "arith.constant"() <{value = 300 : i32}> : () -> i32
  %0 = "arith.extsi"(%m) : (i8) -> i64
  %1 = "arith.extui"(%m) : (i8) -> i64
  %2 = "arith.trunci"(%l) : (i32) -> i8
  %3 = "arith.index_cast"(%m) : (i8) -> index
  return %0, %1, %2, %3 : i64, i64, i8, index
}

// Tensors fold where their shape is known and is the result's.
// CHECK-LABEL: sym_name = "tensors"
// CHECK-DAG:   %[[SUM:.*]] = "arith.constant"() <{value = dense<7> : tensor<2xi32>}>
// CHECK-DAG:   %[[EQUAL:.*]] = "arith.constant"() <{value = dense<true> : tensor<2xi1>}>
// CHECK-DAG:   %[[RESHAPED:.*]] = "arith.muli"{{.*}} : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
// CHECK-DAG:   %[[UNKNOWN:.*]] = "arith.cmpi"{{.*}} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
// CHECK:       "func.return"(%[[SUM]], %[[EQUAL]], %[[RESHAPED]], %[[UNKNOWN]])
func.func @tensors(%t: tensor<2xi32>, %d: tensor<?xi32>) -> (tensor<2xi32>, tensor<2xi1>, tensor<?xi32>, tensor<?xi1>) {
  %a = "arith.constant"() <{value = dense<3> : tensor<2xi32>}> : () -> tensor<2xi32>
  %b = "arith.constant"() <{value = dense<4> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "arith.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "arith.addi"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = "arith.cmpi"(%t, %t) <{predicate = 0 : i64}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = "arith.muli"(%d, %z) : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
  %3 = "arith.cmpi"(%d, %d) <{predicate = 0 : i64}> : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi1>, tensor<?xi32>, tensor<?xi1>
}

// Vectors go element by element, and what has two results gives two constants.
// CHECK-LABEL: sym_name = "elements"
// CHECK-DAG:   %[[SUM:.*]] = "arith.constant"() <{value = dense<[5, -7, 127]> : vector<3xi8>}>
// CHECK-DAG:   %[[LOW:.*]] = "arith.constant"() <{value = dense<-2> : vector<3xi8>}>
// CHECK-DAG:   %[[HIGH:.*]] = "arith.constant"() <{value = dense<1> : vector<3xi8>}>
// CHECK-DAG:   %[[LESS:.*]] = "arith.constant"() <{value = dense<[true, true, false]> : vector<3xi1>}>
// CHECK-DAG:   %[[TRAP:.*]] = "arith.divui"
// CHECK-DAG:   %[[ROOT:.*]] = "arith.constant"() <{value = dense<[1.500000e+00, 2.000000e+00]> : vector<2xf32>}>
// CHECK:       "func.return"(%[[SUM]], %[[LOW]], %[[HIGH]], %[[LESS]], %[[TRAP]], %[[ROOT]])
func.func @elements() -> (vector<3xi8>, vector<3xi8>, vector<3xi8>, vector<3xi1>, vector<3xi8>, vector<2xf32>) {
  %a = "arith.constant"() <{value = dense<[4, -8, 126]> : vector<3xi8>}> : () -> vector<3xi8>
  %b = "arith.constant"() <{value = dense<1> : vector<3xi8>}> : () -> vector<3xi8>
  %c = "arith.constant"() <{value = dense<[5, 0, 6]> : vector<3xi8>}> : () -> vector<3xi8>
  %m = "arith.constant"() <{value = dense<-1> : vector<3xi8>}> : () -> vector<3xi8>
  %2 = "arith.constant"() <{value = dense<2> : vector<3xi8>}> : () -> vector<3xi8>
  %x = "arith.constant"() <{value = dense<[2.25, 4.0]> : vector<2xf32>}> : () -> vector<2xf32>
  %0 = "arith.addi"(%a, %b) : (vector<3xi8>, vector<3xi8>) -> vector<3xi8>
  %low, %high = "arith.mului_extended"(%m, %2) : (vector<3xi8>, vector<3xi8>) -> (vector<3xi8>, vector<3xi8>)
  %1 = "arith.cmpi"(%a, %c) <{predicate = 2 : i64}> : (vector<3xi8>, vector<3xi8>) -> vector<3xi1>
  %3 = "arith.divui"(%a, %c) : (vector<3xi8>, vector<3xi8>) -> vector<3xi8>
  %4 = "math.sqrt"(%x) : (vector<2xf32>) -> vector<2xf32>
  return %0, %low, %high, %1, %3, %4 : vector<3xi8>, vector<3xi8>, vector<3xi8>, vector<3xi1>, vector<3xi8>, vector<2xf32>
}
