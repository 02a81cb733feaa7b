// RUN: echo-opt %s --chlo-to-stablehlo --canonicalize --cse --dce | FileCheck %s
// RUN: echo-opt %s --chlo-to-stablehlo --verify-roundtrip -o /dev/null

// In f32, rounded once.
// CHECK-LABEL: func.func @erf
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK:         %[[R:.*]] = stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @erf(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.erf %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// The square of an f64 is rounded; that of its first 24 bits is not.
// CHECK-LABEL: func.func @erfc
// CHECK:         %[[NARROW:.*]] = stablehlo.convert %[[X:.*]] : (tensor<f64>) -> tensor<f32>
// CHECK-NEXT:    %[[HIGH:.*]] = stablehlo.convert %[[NARROW]] : (tensor<f32>) -> tensor<f64>
// CHECK-DAG:     stablehlo.subtract %[[HIGH]], %[[X]]
// CHECK-DAG:     stablehlo.multiply %[[HIGH]], %[[HIGH]]
// CHECK-COUNT-2: stablehlo.exponential
func.func @erfc(%x: tensor<f64>) -> tensor<f64> {
  %0 = chlo.erfc %x : tensor<f64> -> tensor<f64>
  return %0 : tensor<f64>
}

// Of f32 nothing is in f64.
// CHECK-LABEL: func.func @erf_inv
// CHECK-NOT:     chlo
// CHECK-NOT:     f64
// CHECK:         return
func.func @erf_inv(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.erf_inv %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @square
// CHECK-NEXT:    %[[Y:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT:    return %[[Y]]
func.func @square(%x: tensor<3xf16>) -> tensor<3xf16> {
  %0 = chlo.square %x : tensor<3xf16> -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// 2 atan2(sqrt((1 - x) (1 + x)), 1 + x)
// CHECK-LABEL: func.func @acos
// CHECK:         stablehlo.sqrt
// CHECK:         stablehlo.atan2
func.func @acos(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = chlo.acos %x : tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @inverse_and_hyperbolic
// CHECK-NOT:     chlo
// CHECK:         return
func.func @inverse_and_hyperbolic(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = chlo.asin %x : tensor<f32> -> tensor<f32>
  %1 = chlo.atan %x : tensor<f32> -> tensor<f32>
  %2 = chlo.acosh %x : tensor<f32> -> tensor<f32>
  %3 = chlo.asinh %x : tensor<f32> -> tensor<f32>
  %4 = chlo.atanh %x : tensor<f32> -> tensor<f32>
  %5 = chlo.cosh %x : tensor<f32> -> tensor<f32>
  %6 = chlo.sinh %x : tensor<f32> -> tensor<f32>
  %7 = chlo.tan %x : tensor<f32> -> tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @infinities
// CHECK-DAG:     %[[INF:.*]] = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
// CHECK-DAG:     %[[NINF:.*]] = stablehlo.constant dense<0xFF800000> : tensor<3xf32>
// CHECK-DAG:     %[[A:.*]] = stablehlo.abs %arg0
// CHECK-DAG:     %[[R0:.*]] = stablehlo.compare EQ, %[[A]], %[[INF]]
// CHECK-DAG:     %[[R1:.*]] = stablehlo.compare EQ, %arg0, %[[INF]]
// CHECK-DAG:     %[[R2:.*]] = stablehlo.compare EQ, %arg0, %[[NINF]]
// CHECK:         return %[[R0]], %[[R1]], %[[R2]]
func.func @infinities(%x: tensor<3xf32>) -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %0 = chlo.is_inf %x : tensor<3xf32> -> tensor<3xi1>
  %1 = chlo.is_pos_inf %x : tensor<3xf32> -> tensor<3xi1>
  %2 = chlo.is_neg_inf %x : tensor<3xf32> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// A stable sort of values and places, descending; NaN has its place in the total order.
// CHECK-LABEL: func.func @top_k
// CHECK:         %[[I:.*]] = stablehlo.iota dim = 1 : tensor<2x5xi32>
// CHECK:         %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK:           stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK-DAG:     stablehlo.slice %[[S]]#0 [0:2, 0:3]
// CHECK-DAG:     stablehlo.slice %[[S]]#1 [0:2, 0:3]
func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %values, %indices = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %values, %indices : tensor<2x3xf32>, tensor<2x3xi32>
}

// CHECK-LABEL: func.func @top_k_of_integers
// CHECK:           stablehlo.compare GT, %{{.*}}, %{{.*}}, UNSIGNED
func.func @top_k_of_integers(%x: tensor<5xui8>) -> (tensor<3xui8>, tensor<3xi32>) {
  %values, %indices = chlo.top_k(%x, k = 3) : tensor<5xui8> -> (tensor<3xui8>, tensor<3xi32>)
  return %values, %indices : tensor<3xui8>, tensor<3xi32>
}

// Of one shape nothing is broadcast; of two shapes both come to the result's.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:    stablehlo.add %arg0, %arg0
// CHECK-NEXT:    %[[Y:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1]
// CHECK-NEXT:    stablehlo.add %arg0, %[[Y]]
func.func @broadcast(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// The list places the operand of lower rank; sizes of 1 are stretched.
// CHECK-LABEL: func.func @broadcast_placed(
// CHECK-DAG:     %[[X:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-DAG:     %[[Y:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK:         stablehlo.compare LT, %[[X]], %[[Y]]
func.func @broadcast_placed(%x: tensor<2xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xi1> {
  %0 = "chlo.broadcast_compare"(%x, %y) <{broadcast_dimensions = array<i64: 0>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xf32>, tensor<1x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// A composite is what it is composed of; --inline takes the call in.
// CHECK-LABEL: func.func @composite(
// CHECK-NEXT:    call @gelu(%arg0)
func.func @composite(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.composite "math.gelu" %x {decomposition = @gelu} : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @gelu(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.logistic %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Annotations go; functions by name are chlo's; what nobody knows stays.
// CHECK-LABEL: func.func @custom_calls(
// CHECK:         stablehlo.log_plus_one
// CHECK:         stablehlo.custom_call @unknown(
func.func @custom_calls(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.custom_call @Sharding(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.custom_call @mhlo.asinh(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.custom_call @unknown(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1, %2 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @special_functions(
// CHECK-NOT:     chlo.
func.func @special_functions(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>) {
  %0 = chlo.lgamma %x : tensor<3xf32> -> tensor<3xf32>
  %1 = chlo.digamma %x : tensor<3xf32> -> tensor<3xf32>
  %2 = chlo.bessel_i1e %x : tensor<3xf32> -> tensor<3xf32>
  %3 = chlo.conj %x : tensor<3xf32> -> tensor<3xf32>
  %4 = chlo.zeta %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %5 = chlo.polygamma %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %6 = chlo.next_after %x, %0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %7 = chlo.mulhi %i, %i : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>
}

// The body on whole tensors; what it reads from outside is spread.
// CHECK-LABEL: func.func @map(
// CHECK-DAG:     %[[S:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-DAG:     %[[C:.*]] = stablehlo.compare GT, %arg0, %[[S]]{{.*}} -> tensor<3xi1>
// CHECK:         stablehlo.select %[[C]], %arg0, %{{.*}} : tensor<3xi1>, tensor<3xf32>
// CHECK-NOT:     stablehlo.map
func.func @map(%x: tensor<3xf32>, %s: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.compare GT, %a, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %zero : tensor<i1>, tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
