// RUN: echo-opt --roll-loops --split-input-file %s | FileCheck %s
// Once is enough.
// RUN: echo-opt --roll-loops --split-input-file %s -o %t.once.mlir && echo-opt --pass-pipeline='builtin.module(roll-loops,roll-loops)' --split-input-file %s | diff %t.once.mlir -

// Three copies outside of any loop, each of one row, whose products are added up from a constant on: a loop over the rows that carries the
// sum. The copies stand in no order. What is the same for all of them is made in the loop where that costs little, in front of it else,
// moved there if it must be.
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_0(%[[X:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<4x4xf32>) {{.*}} attributes {echo.rolled = @main}
// CHECK:         %[[V:.*]] = stablehlo.dot_general %[[W]], %[[W]]
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<1x4xf32>
// CHECK:           stablehlo.constant dense<3>
// CHECK:         do
// CHECK:           %[[R:.*]] = stablehlo.dynamic_slice %[[X]], %[[I]], {{.*}}, sizes = [1, 4]
// CHECK:           %[[P:.*]] = stablehlo.dot_general %[[R]], %[[W]]
// CHECK:           %[[T:.*]] = stablehlo.tanh %[[P]]
// CHECK:           stablehlo.negate %[[V]]
// CHECK:           %[[Q:.*]] = stablehlo.dot_general %[[T]],
// CHECK:           stablehlo.add %[[S]], %[[Q]]
// CHECK:         return %[[F]]#1
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %x2 = stablehlo.slice %x [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p2 = stablehlo.dot_general %x2, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %t2 = stablehlo.tanh %p2 : tensor<1x4xf32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %t0 = stablehlo.tanh %p0 : tensor<1x4xf32>
  %v = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = stablehlo.negate %v : tensor<4x4xf32>
  %q0 = stablehlo.dot_general %t0, %u, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s0 = stablehlo.add %q0, %zero : tensor<1x4xf32>
  %t1 = stablehlo.tanh %p1 : tensor<1x4xf32>
  %q1 = stablehlo.dot_general %t1, %u, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s1 = stablehlo.add %s0, %q1 : tensor<1x4xf32>
  %q2 = stablehlo.dot_general %t2, %u, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s2 = stablehlo.add %s1, %q2 : tensor<1x4xf32>
  return %s2 : tensor<1x4xf32>
}

// -----

// Blocks of rows, from the last one to the first; the first addition adds two copies, so that the sum begins with -0, which changes no
// bit. Each copy adds two values. What else is read of the copies is handed out.
// CHECK-LABEL: func.func @backwards(
// CHECK:       func.func @backwards_0(
// CHECK:         %[[X:.*]] = stablehlo.reshape %{{.*}} : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
// CHECK-DAG:     %[[NOTHING:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<2x4xf32>
// CHECK-DAG:     %[[EMPTY:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3x2x4xf32>
// CHECK:         %[[F:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %[[NOTHING]], %[[STACK:.*]] = %[[EMPTY]])
// CHECK:         do
// CHECK:           %[[LAST:.*]] = stablehlo.constant dense<2>
// CHECK:           %[[J:.*]] = stablehlo.subtract %[[LAST]], %[[I]]
// CHECK:           stablehlo.dynamic_slice %[[X]], %[[J]],
// CHECK:           %[[T:.*]] = stablehlo.tanh
// CHECK:           %[[ONE:.*]] = stablehlo.add %[[S]], %[[P:.*]] : tensor<2x4xf32>
// CHECK:           %[[TWO:.*]] = stablehlo.add %[[ONE]], %[[T]] : tensor<2x4xf32>
// CHECK:           stablehlo.dynamic_update_slice %[[STACK]], %{{.*}}, %[[J]]
// CHECK:         stablehlo.slice %[[F]]#2
func.func @backwards(%x: tensor<6x4xf32>, %w: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %x0 = stablehlo.slice %x [0:2, 0:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
  %x1 = stablehlo.slice %x [2:4, 0:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
  %x2 = stablehlo.slice %x [4:6, 0:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p2 = stablehlo.dot_general %x2, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %t0 = stablehlo.tanh %p0 : tensor<2x4xf32>
  %t1 = stablehlo.tanh %p1 : tensor<2x4xf32>
  %t2 = stablehlo.tanh %p2 : tensor<2x4xf32>
  %s2 = stablehlo.add %p2, %t2 : tensor<2x4xf32>
  %a1 = stablehlo.add %s2, %p1 : tensor<2x4xf32>
  %s1 = stablehlo.add %a1, %t1 : tensor<2x4xf32>
  %a0 = stablehlo.add %s1, %p0 : tensor<2x4xf32>
  %s0 = stablehlo.add %a0, %t0 : tensor<2x4xf32>
  %o = stablehlo.multiply %t0, %t2 : tensor<2x4xf32>
  return %s0, %o : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// Arguments that stand in each other's places, one a copy: each iteration takes its own.
// CHECK-LABEL: func.func @arguments(
// CHECK:       func.func @arguments_0(%[[X1:.*]]: tensor<1x4xf32>, %[[X0:.*]]: tensor<1x4xf32>, %[[W:.*]]: tensor<4x4xf32>, %{{.*}}: tensor<1x4xf32>)
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<1x4xf32>
// CHECK:         do
// CHECK:           %[[R0:.*]] = stablehlo.reshape %[[X0]]
// CHECK:           %[[R1:.*]] = stablehlo.reshape %[[X1]]
// CHECK:           %[[ALL:.*]] = stablehlo.concatenate %[[R0]], %[[R1]], dim = 0
// CHECK:           %[[ROW:.*]] = stablehlo.dynamic_slice %[[ALL]], %[[I]],
// CHECK:           %[[X:.*]] = stablehlo.reshape %[[ROW]]
// CHECK:           stablehlo.dot_general %[[X]], %[[W]]
// CHECK:           stablehlo.add %[[S]],
func.func @arguments(%x1: tensor<1x4xf32>, %x0: tensor<1x4xf32>, %w: tensor<4x4xf32>, %b: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %q1 = stablehlo.add %p1, %b : tensor<1x4xf32>
  %q0 = stablehlo.add %p0, %b : tensor<1x4xf32>
  %t1 = stablehlo.tanh %q1 : tensor<1x4xf32>
  %t0 = stablehlo.tanh %q0 : tensor<1x4xf32>
  %s = stablehlo.add %t0, %t1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// What one copy alone reads is made in the loop as far down as all copies make it in the same way; below, each iteration takes its own.
// CHECK-LABEL: func.func @own(
// CHECK:       func.func @own_0(%[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<4x4xf32>, %[[K:.*]]: tensor<1x4xf32>)
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<1x4xf32>
// CHECK:         do
// CHECK:           %[[ALL:.*]] = stablehlo.concatenate
// CHECK:           %[[ROW:.*]] = stablehlo.dynamic_slice %[[ALL]], %[[I]],
// CHECK:           %[[OWN:.*]] = stablehlo.reshape %[[ROW]]
// CHECK:           %[[M:.*]] = stablehlo.cosine %[[OWN]]
// CHECK-NOT:       stablehlo.cosine
// CHECK:           stablehlo.multiply %{{.*}}, %[[M]]
func.func @own(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %k: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<1x4xf32>
  %k1 = stablehlo.add %k, %one : tensor<1x4xf32>
  %m1 = stablehlo.cosine %k1 : tensor<1x4xf32>
  %m0 = stablehlo.cosine %k : tensor<1x4xf32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %y0 = stablehlo.multiply %x0, %m0 : tensor<1x4xf32>
  %y1 = stablehlo.multiply %x1, %m1 : tensor<1x4xf32>
  %p0 = stablehlo.dot_general %y0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %y1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// One of them twice in one copy, two in the other: what has no row left is made in front of the loop.
// CHECK-LABEL: func.func @own_twice(
// CHECK:       func.func @own_twice_0(
// CHECK:         %[[B0:.*]] = stablehlo.cosine
// CHECK:         %[[M1:.*]] = stablehlo.cosine
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<1x4xf32>
// CHECK:         do
// CHECK:           %[[R0:.*]] = stablehlo.reshape %[[B0]]
// CHECK:           %[[R1:.*]] = stablehlo.reshape %[[M1]]
// CHECK:           %[[ALL:.*]] = stablehlo.concatenate %[[R0]], %[[R1]], dim = 0
// CHECK:           %[[ROW:.*]] = stablehlo.dynamic_slice %[[ALL]], %[[I]],
// CHECK:           %[[OWN:.*]] = stablehlo.reshape %[[ROW]]
// CHECK:           %[[P:.*]] = stablehlo.dot_general
// CHECK:           stablehlo.subtract %[[P]], %[[OWN]]
func.func @own_twice(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %k: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<1x4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<1x4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<1x4xf32>
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %k0 = stablehlo.add %k, %one : tensor<1x4xf32>
  %l0 = stablehlo.add %k, %two : tensor<1x4xf32>
  %k1 = stablehlo.add %k, %three : tensor<1x4xf32>
  %a0 = stablehlo.cosine %k0 : tensor<1x4xf32>
  %b0 = stablehlo.cosine %l0 : tensor<1x4xf32>
  %m1 = stablehlo.cosine %k1 : tensor<1x4xf32>
  %y0 = stablehlo.multiply %x0, %a0 : tensor<1x4xf32>
  %y1 = stablehlo.multiply %x1, %m1 : tensor<1x4xf32>
  %p0 = stablehlo.dot_general %y0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %y1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %q0 = stablehlo.subtract %p0, %b0 : tensor<1x4xf32>
  %q1 = stablehlo.subtract %p1, %m1 : tensor<1x4xf32>
  %s = stablehlo.add %q0, %q1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// What is added last in each copy is an addition, too: that of the first copy is not taken for one of the sum's, so that no copy is lost;
// nor is it where the sum begins with a constant.
// CHECK-LABEL: func.func @ends_with_addition(
// CHECK:       func.func @ends_with_addition_0(%[[A0:.*]]: tensor<1x4xf32>, %[[A1:.*]]: tensor<1x4xf32>, %[[A2:.*]]: tensor<1x4xf32>, %[[W:.*]]: tensor<4x4xf32>
// CHECK:         stablehlo.while
// CHECK:           stablehlo.constant dense<3> : tensor<i32>
// CHECK:         do
// CHECK:           %[[R0:.*]] = stablehlo.reshape %[[A0]]
// CHECK:           %[[R1:.*]] = stablehlo.reshape %[[A1]]
// CHECK:           %[[R2:.*]] = stablehlo.reshape %[[A2]]
// CHECK:           stablehlo.concatenate %[[R0]], %[[R1]], %[[R2]], dim = 0
func.func @ends_with_addition(%a0: tensor<1x4xf32>, %a1: tensor<1x4xf32>, %a2: tensor<1x4xf32>, %w: tensor<4x4xf32>, %b: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %p0 = stablehlo.dot_general %a0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %a1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p2 = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %q0 = stablehlo.add %p0, %b : tensor<1x4xf32>
  %q1 = stablehlo.add %p1, %b : tensor<1x4xf32>
  %q2 = stablehlo.add %p2, %b : tensor<1x4xf32>
  %s1 = stablehlo.add %q0, %q1 : tensor<1x4xf32>
  %s2 = stablehlo.add %s1, %q2 : tensor<1x4xf32>
  return %s2 : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @begins_with_constant(
// CHECK:       func.func @begins_with_constant_0(
// CHECK:         stablehlo.while
// CHECK:           stablehlo.constant dense<3> : tensor<i32>
func.func @begins_with_constant(%a0: tensor<1x4xf32>, %a1: tensor<1x4xf32>, %a2: tensor<1x4xf32>, %w: tensor<4x4xf32>, %b: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %p0 = stablehlo.dot_general %a0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %a1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p2 = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %q0 = stablehlo.add %p0, %b : tensor<1x4xf32>
  %q1 = stablehlo.add %p1, %b : tensor<1x4xf32>
  %q2 = stablehlo.add %p2, %b : tensor<1x4xf32>
  %s0 = stablehlo.add %q0, %zero : tensor<1x4xf32>
  %s1 = stablehlo.add %s0, %q1 : tensor<1x4xf32>
  %s2 = stablehlo.add %s1, %q2 : tensor<1x4xf32>
  return %s2 : tensor<1x4xf32>
}

// -----

// One argument in two copies is not one a copy.
// CHECK-LABEL: func.func @one_argument_twice(
// CHECK-NOT:   echo.rolled
func.func @one_argument_twice(%x: tensor<1x4xf32>, %y: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %y0 = stablehlo.multiply %x, %y : tensor<1x4xf32>
  %y1 = stablehlo.multiply %y, %x : tensor<1x4xf32>
  %p0 = stablehlo.dot_general %y0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %y1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// Copies that read each other, one that does something else, one that is added twice, and what is one kernel as it stands.
// CHECK-LABEL: func.func @read_each_other(
// CHECK-NOT:   echo.rolled
func.func @read_each_other(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %y1 = stablehlo.multiply %x1, %p0 : tensor<1x4xf32>
  %p1 = stablehlo.dot_general %y1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @something_else(
// CHECK-NOT:   echo.rolled
func.func @something_else(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %y0 = stablehlo.tanh %x0 : tensor<1x4xf32>
  %y1 = stablehlo.cosine %x1 : tensor<1x4xf32>
  %p0 = stablehlo.dot_general %y0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %y1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @added_twice(
// CHECK-NOT:   echo.rolled
func.func @added_twice(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  %t = stablehlo.add %s, %p1 : tensor<1x4xf32>
  return %t : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @one_kernel(
// CHECK-NOT:   echo.rolled
func.func @one_kernel(%x: tensor<2x4xf32>) -> tensor<1x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %t0 = stablehlo.tanh %x0 : tensor<1x4xf32>
  %t1 = stablehlo.tanh %x1 : tensor<1x4xf32>
  %s = stablehlo.add %t0, %t1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// Which result of an op is read counts.
// CHECK-LABEL: func.func @another_result(
// CHECK-NOT:   echo.rolled
func.func @another_result(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %x0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %x1 = stablehlo.slice %x [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %t0 = stablehlo.tanh %x0 : tensor<1x4xf32>
  %t1 = stablehlo.tanh %x1 : tensor<1x4xf32>
  %b0:2 = stablehlo.optimization_barrier %x0, %t0 : tensor<1x4xf32>, tensor<1x4xf32>
  %b1:2 = stablehlo.optimization_barrier %x1, %t1 : tensor<1x4xf32>, tensor<1x4xf32>
  %p0 = stablehlo.dot_general %b0#0, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %p1 = stablehlo.dot_general %b1#1, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.add %p0, %p1 : tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

// -----

// Every other row each, of which the loop reads the span and then every other one of that.
// CHECK-LABEL: func.func @strided(
// CHECK:       func.func @strided_0(%[[X:.*]]: tensor<5x4xf32>, %[[W:.*]]: tensor<4x4xf32>)
// CHECK:         %[[F:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<2x4xf32>
// CHECK:         do
// CHECK:           %[[A:.*]] = stablehlo.dynamic_slice %[[X]], %{{.*}}, %{{.*}}, sizes = [3, 4]
// CHECK:           %[[R:.*]] = stablehlo.slice %[[A]] [0:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK:           stablehlo.dot_general %[[R]], %[[W]]
func.func @strided(%x: tensor<5x4xf32>, %w: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %x0 = stablehlo.slice %x [0:4:2, 0:4] : (tensor<5x4xf32>) -> tensor<2x4xf32>
  %x1 = stablehlo.slice %x [1:4:2, 0:4] : (tensor<5x4xf32>) -> tensor<2x4xf32>
  %p0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %s0 = stablehlo.add %p0, %zero : tensor<2x4xf32>
  %s1 = stablehlo.add %s0, %p1 : tensor<2x4xf32>
  return %s1 : tensor<2x4xf32>
}
