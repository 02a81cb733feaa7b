// RUN: echo-opt --echo=budget=min %s | FileCheck %s
// RUN: echo-opt --echo=budget=min --schedule %s | FileCheck %s --check-prefix=KEPT
// RUN: echo-opt --echo=budget=min --schedule=order=late %s | FileCheck %s --check-prefix=LATE
// RUN: echo-opt --echo=order=flow %s | FileCheck %s --check-prefix=NAMED

// An order is decided on with the rest: the block stands in it, the module says so, and --schedule leaves it there unless it is
// told another; an order that was named is --schedule's to make.
// CHECK:       module attributes {{.*}}echo.ordered
// CHECK:         stablehlo.negate
// CHECK:         stablehlo.dot_general
// CHECK:         stablehlo.subtract
// KEPT-NOT:    echo.ordered
// KEPT:          stablehlo.negate
// KEPT:          stablehlo.dot_general
// KEPT:          stablehlo.subtract
// LATE-NOT:    echo.ordered
// LATE:          stablehlo.dot_general
// LATE:          stablehlo.subtract
// LATE:          stablehlo.negate
// NAMED-NOT:   echo.ordered
// NAMED:         return
func.func @main(%w: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<32x32xf32>, %d: tensor<32x32xf32>, %to: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %y = stablehlo.negate %x : tensor<32x32xf32>
  %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u = stablehlo.subtract %w, %g : tensor<32x32xf32>
  return %u, %y : tensor<32x32xf32>, tensor<32x32xf32>
}
