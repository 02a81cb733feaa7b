// RUN: echo-opt --sink-updates --canonicalize --cse %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %t.mlir --device=interpreter --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --sink-updates --canonicalize --cse %s --schedule --fuse --bufferize --plan-memory --verify-plan | FileCheck %s --check-prefix=PLAN

// Six layers in two segments of three: the loop inside carries all weights, and updates the slice that it has the gradient of. What it
// reads of the segment is from before it. Beside the segment and one gradient nothing stands, and no gradient of a segment does.
// CHECK-LABEL: func.func @main
// CHECK:         %[[V:.*]] = stablehlo.reshape %arg0 : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
// CHECK:         %[[G:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %[[V]]) : tensor<i32>, tensor<2x3x8xf32>
// CHECK:           %[[H:.*]]:2 = stablehlo.while(%[[J:.*]] = %{{.*}}, %[[D:.*]] = %[[C]]) : tensor<i32>, tensor<2x3x8xf32>
// CHECK:             %[[W:.*]] = stablehlo.dynamic_slice %[[D]], %[[I]], %[[J]], %{{.*}}, sizes = [1, 1, 8]
// CHECK:             %[[N:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<1x8xf32>
// CHECK:             %[[R:.*]] = stablehlo.reshape %[[N]] : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
// CHECK:             stablehlo.dynamic_update_slice %[[D]], %[[R]], %[[I]], %[[J]], %{{.*}}
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK:           stablehlo.return %{{.*}}, %[[H]]#1
// CHECK-NOT:     stablehlo.subtract
// CHECK:         %[[Q:.*]] = stablehlo.reshape %[[G]]#1
// CHECK:         return %[[Q]] : tensor<6x8xf32>
// PLAN: plan.temp_bytes = 320
func.func @main(%w: tensor<6x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<6x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %v = stablehlo.reshape %w : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<2x3x8xf32>
  %g:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, tensor<2x3x8xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 3, 8] : (tensor<2x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %b = stablehlo.reshape %a : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %none = stablehlo.constant dense<0.0> : tensor<3x8xf32>
    %h:2 = stablehlo.while(%j = %zero, %r = %none) : tensor<i32>, tensor<3x8xf32>
     cond {
      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %x = stablehlo.dynamic_slice %b, %j, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %y = stablehlo.tanh %x : tensor<1x8xf32>
      %t = stablehlo.dynamic_update_slice %r, %y, %j, %zero : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %t : tensor<i32>, tensor<3x8xf32>
    }
    %y = stablehlo.reshape %h#1 : (tensor<3x8xf32>) -> tensor<1x3x8xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %zero, %zero : (tensor<2x3x8xf32>, tensor<1x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<2x3x8xf32>
  }
  %d = stablehlo.reshape %g#1 : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<6x8xf32>
  %u = stablehlo.multiply %d, %rate : tensor<6x8xf32>
  %q = stablehlo.subtract %w, %u : tensor<6x8xf32>
  return %q : tensor<6x8xf32>
}
