// RUN: echo-opt %s --canonicalize --dce | FileCheck %s
// RUN: echo-opt %s --canonicalize --dce | echo-opt --verify-roundtrip --no-output
// A constant that a loop carries round unchanged is read where it is, in the condition, in the body and behind the loop, and carried no
// more: the loop is one of four iterations. What changes, and what is no constant, is carried as before.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[N:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK-DAG:     %[[MASK:.*]] = stablehlo.constant dense<-1.000000e+00> : tensor<2x3xf32>
// CHECK:         %[[ALL:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[X:.*]] = %arg0, %[[S:.*]] = %arg1)
// CHECK:           stablehlo.compare LT, %[[I]], %[[N]]
// CHECK:           %[[A:.*]] = stablehlo.add %[[X]], %[[MASK]]
// CHECK:           stablehlo.multiply %[[A]], %[[S]]
// CHECK:         return %[[ALL]]#1, %[[MASK]]
func.func @main(%x: tensor<2x3xf32>, %s: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %mask = stablehlo.constant dense<-1.0> : tensor<2x3xf32>
  %all:5 = stablehlo.while(%i = %zero, %limit = %n, %m = %mask, %h = %x, %t = %s) : tensor<i32>, tensor<i32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  cond {
    %goes_on = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %a = stablehlo.add %h, %m : tensor<2x3xf32>
    %b = stablehlo.multiply %a, %t : tensor<2x3xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %limit, %m, %b, %t : tensor<i32>, tensor<i32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
  return %all#3, %all#2 : tensor<2x3xf32>, tensor<2x3xf32>
}
