// RUN: echo-opt --roll-loops --split-input-file %s | FileCheck %s
// RUN: echo-opt --roll-loops --split-input-file %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(roll-loops,roll-loops)' --split-input-file %s | diff %t.once.mlir -

// Three copies, each of which reads what the one before it made of a weight; the first one reads the weight that is given. It is carried.
// A number that is made of no copy is each copy's own. What the steps hand back is stacked.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<4x4xf32>, %[[N:.*]]: tensor<f32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[F:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %[[W]], %[[L:.*]] = %{{.*}}) : tensor<i32>, tensor<4x4xf32>, tensor<3x1x4xf32>
// CHECK:         do
// CHECK:           %[[R:.*]] = stablehlo.dynamic_slice %[[X]], %[[I]], {{.*}}, sizes = [1, 4]
// CHECK:           stablehlo.dot_general %[[R]], %[[V]]
// CHECK:           stablehlo.dynamic_update_slice %[[L]],
// CHECK:           stablehlo.return
// CHECK:         return %[[F]]#1,
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>, %n: tensor<f32>) -> (tensor<4x4xf32>, tensor<1x4xf32>, tensor<f32>) {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x2 = stablehlo.slice %x [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %n0 = stablehlo.multiply %n, %half : tensor<f32>
  %n1 = stablehlo.multiply %n0, %half : tensor<f32>
  %n2 = stablehlo.multiply %n1, %half : tensor<f32>
  %s0 = stablehlo.broadcast_in_dim %n0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %s1 = stablehlo.broadcast_in_dim %n1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %s2 = stablehlo.broadcast_in_dim %n2, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %t0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p0 = stablehlo.dot_general %x0, %t0, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %g0 = stablehlo.dot_general %x0, %p0, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %h0 = stablehlo.multiply %g0, %s0 : tensor<4x4xf32>
  %w0 = stablehlo.subtract %w, %h0 : tensor<4x4xf32>
  %t1 = stablehlo.transpose %w0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p1 = stablehlo.dot_general %x1, %t1, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %g1 = stablehlo.dot_general %x1, %p1, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %h1 = stablehlo.multiply %g1, %s1 : tensor<4x4xf32>
  %w1 = stablehlo.subtract %w0, %h1 : tensor<4x4xf32>
  %t2 = stablehlo.transpose %w1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p2 = stablehlo.dot_general %x2, %t2, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %g2 = stablehlo.dot_general %x2, %p2, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %h2 = stablehlo.multiply %g2, %s2 : tensor<4x4xf32>
  %w2 = stablehlo.subtract %w1, %h2 : tensor<4x4xf32>
  %l = stablehlo.multiply %p0, %p2 : tensor<1x4xf32>
  return %w2, %l, %n2 : tensor<4x4xf32>, tensor<1x4xf32>, tensor<f32>
}

// -----

// A running mean that the first copy begins: the others go on with it, each by a number of its own, in a loop behind the first. Arrays that
// are filled with a number each are picked by that number.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<4x4xf32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[P:.*]] = stablehlo.dot_general
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %[[P]]) : tensor<i32>, tensor<1x4xf32>
// CHECK:         do
// CHECK-DAG:       %[[HALF:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG:       %[[FOURTH:.*]] = stablehlo.constant dense<2.500000e-01> : tensor<f32>
// CHECK-DAG:       %[[FIRST:.*]] = stablehlo.compare EQ, %[[I]], %{{.*}}
// CHECK:           %[[NUMBER:.*]] = stablehlo.select %[[FIRST]], %[[HALF]], %[[FOURTH]] : tensor<i1>, tensor<f32>
// CHECK:           %[[OWN:.*]] = stablehlo.broadcast_in_dim %[[NUMBER]], dims = []
// CHECK:           stablehlo.multiply %{{.*}}, %[[OWN]]
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<1x4xf32>
  %third = stablehlo.constant dense<0.25> : tensor<1x4xf32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x2 = stablehlo.slice %x [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p2 = stablehlo.dot_general %x2, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %d1 = stablehlo.subtract %p1, %p0 : tensor<1x4xf32>
  %h1 = stablehlo.multiply %d1, %half : tensor<1x4xf32>
  %m1 = stablehlo.add %p0, %h1 : tensor<1x4xf32>
  %d2 = stablehlo.subtract %p2, %m1 : tensor<1x4xf32>
  %h2 = stablehlo.multiply %d2, %third : tensor<1x4xf32>
  %m2 = stablehlo.add %m1, %h2 : tensor<1x4xf32>
  return %m2 : tensor<1x4xf32>
}

// -----

// The same where the first mean is what nothing and the first value add up to: what the loop carries is the mean, not the two that it is
// made of; and where a row of the copies' own ends with an addition that could be taken for one of the mean's.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<4x4xf32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[Q:.*]] = stablehlo.add
// CHECK:         %[[P:.*]] = stablehlo.add %[[Q]],
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %[[P]]) : tensor<i32>, tensor<1x4xf32>
// CHECK:         do
// CHECK:           %[[D:.*]] = stablehlo.subtract %{{.*}}, %[[V]]
// CHECK:           %[[H:.*]] = stablehlo.multiply %[[D]],
// CHECK:           %[[M:.*]] = stablehlo.add %[[V]], %[[H]]
// CHECK:           stablehlo.return %{{.*}}, %[[M]] : tensor<i32>, tensor<1x4xf32>
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<1x4xf32>
  %third = stablehlo.constant dense<0.25> : tensor<1x4xf32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x2 = stablehlo.slice %x [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p2 = stablehlo.dot_general %x2, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %q0 = stablehlo.add %p0, %zero : tensor<1x4xf32>
  %q1 = stablehlo.add %p1, %zero : tensor<1x4xf32>
  %q2 = stablehlo.add %p2, %zero : tensor<1x4xf32>
  %m0 = stablehlo.add %q0, %zero : tensor<1x4xf32>
  %d1 = stablehlo.subtract %q1, %m0 : tensor<1x4xf32>
  %h1 = stablehlo.multiply %d1, %half : tensor<1x4xf32>
  %m1 = stablehlo.add %m0, %h1 : tensor<1x4xf32>
  %d2 = stablehlo.subtract %q2, %m1 : tensor<1x4xf32>
  %h2 = stablehlo.multiply %d2, %third : tensor<1x4xf32>
  %m2 = stablehlo.add %m1, %h2 : tensor<1x4xf32>
  return %m2 : tensor<1x4xf32>
}

// -----

// A state that is read in the region of a branch.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<4x4xf32>, %[[C:.*]]: tensor<i1>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%{{.*}} = %{{.*}}, %[[V:.*]] = %[[W]]) : tensor<i32>, tensor<4x4xf32>
// CHECK:         do
// CHECK:           %[[B:.*]] = "stablehlo.if"(%[[C]])
// CHECK:             stablehlo.return %[[V]]
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %c: tensor<i1>) -> tensor<4x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %w0 = "stablehlo.if"(%c) ({
    %g = stablehlo.dot_general %x0, %p0, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %g : tensor<4x4xf32>
  }, {
    stablehlo.return %w : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  %p1 = stablehlo.dot_general %x1, %w0, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %w1 = "stablehlo.if"(%c) ({
    %g = stablehlo.dot_general %x1, %p1, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %g : tensor<4x4xf32>
  }, {
    stablehlo.return %w0 : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  return %w1 : tensor<4x4xf32>
}

// -----

// No copies: the second reads another weight in the first one's place, and what it makes of it is of another kind.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:   echo.rolled
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %g0 = stablehlo.dot_general %x0, %p0, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %w0 = stablehlo.subtract %w, %g0 : tensor<4x4xf32>
  %p1 = stablehlo.dot_general %x1, %v, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %g1 = stablehlo.dot_general %x1, %p1, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %w1 = stablehlo.multiply %w0, %g1 : tensor<4x4xf32>
  return %w1 : tensor<4x4xf32>
}
