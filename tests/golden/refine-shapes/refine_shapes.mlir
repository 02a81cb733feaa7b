// RUN: echo-opt %s --refine-shapes --symbol-dce | FileCheck %s

// Functions are refined as each call has them; what they compute of sizes is folded.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    tensor<3x4xf32>) -> (tensor<12xf32>, tensor<6x4xf32>, tensor<1x4xf32>)
// CHECK-NOT:     shape_assertion
// CHECK-NOT:     dynamic_
// CHECK:         stablehlo.reshape {{.*}} : (tensor<3x4xf32>) -> tensor<12xf32>
// CHECK:         stablehlo.pad {{.*}} : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x4xf32>
// CHECK:         stablehlo.slice {{.*}} : (tensor<3x4xf32>) -> tensor<1x4xf32>
// CHECK-NOT:     func.func
func.func @main(%x: tensor<3x4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x4xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ok = stablehlo.compare GE, %n, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %0 = stablehlo.convert %x : (tensor<3x4xf32>) -> tensor<?x4xf32>
  %1 = call @flat(%n, %0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?xf32>
  %2 = call @padded(%n, %0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = call @half(%n, %0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1, %2, %3 : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
func.func private @flat(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?xf32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.multiply %n, %four : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_reshape %x, %1 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func private @padded(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %value = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.concatenate %0, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.concatenate %zero, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_pad %x, %value, %1, %2, %2 : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}
func.func private @half(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %start = stablehlo.constant dense<0> : tensor<2xi32>
  %stride = stablehlo.constant dense<1> : tensor<2xi32>
  %width = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = stablehlo.divide %n, %two : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.real_dynamic_slice %x, %start, %2, %stride : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// A loop carries what it is given, in the types of that; branches give what they end with.
// CHECK-LABEL: func.func @control(
// CHECK-SAME:    -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:         stablehlo.while({{.*}}) : tensor<4xf32>
func.func @control(%x: tensor<4xf32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>
  %1 = "stablehlo.while"(%0) ({
  ^bb0(%a: tensor<?xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<?xf32>):
    %3 = stablehlo.add %a, %a : tensor<?xf32>
    stablehlo.return %3 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %3 = stablehlo.negate %1 : tensor<?xf32>
    stablehlo.return %3 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// What an argument leaves open stays open.
// CHECK-LABEL: func.func @open(
// CHECK-SAME:    tensor<?xf32>) -> tensor<?xf32>
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// So does the type of what such a function calls.
// CHECK-LABEL: func.func @called(
// CHECK-SAME:    tensor<4xf32>) -> tensor<?xf32>
func.func @called(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @open_caller(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0 = call @called(%y) : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
