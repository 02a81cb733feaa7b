// A composite of what is dynamic is what its decomposition makes of the shapes that it is given, as a call is.
// RUN: echo-opt %s --refine-shapes | FileCheck %s
// RUN: echo-opt %s --refine-shapes --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> (tensor<3xf32>, tensor<6xf32>)
// CHECK:         chlo.top_k(%{{.*}}, k = 3) : tensor<6xf32> -> (tensor<3xf32>, tensor<3xi32>)
// CHECK:         stablehlo.negate %{{.*}} : tensor<6xf32>
// CHECK-NOT:     composite
func.func @main(%x: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<?xf32>) {
  %n = stablehlo.constant dense<6> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1:2 = stablehlo.composite "chlo.top_k" %0 {composite_attributes = {k = 3 : i64}, decomposition = @top, version = 1 : i32} : (tensor<?xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  %2 = stablehlo.composite "own.turn" %0 {decomposition = @turn} : (tensor<?xf32>) -> tensor<?xf32>
  return %1#0, %2 : tensor<3xf32>, tensor<?xf32>
}
func.func private @top(%x: tensor<?xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<?xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
func.func private @turn(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
