// RUN: echo-opt --reuse-arrays --reuse-arrays %s | FileCheck %s
// RUN: echo-opt --to=planned %s | FileCheck %s --check-prefix=PLANNED

// Two stacks, two arrays that die: one is written over, however often that is asked for. A kernel makes slices of both, and one array
// would be copied in each iteration.
// CHECK:         %[[E:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK:         %[[A:.*]] = stablehlo.abs
// CHECK:         %[[B:.*]] = stablehlo.negate
// CHECK:         stablehlo.while({{.*}} = %[[A]], %{{.*}} = %[[E]], %{{.*}} = %[[B]]) :
// PLANNED-NOT:   "plan.copy"{{.*}}memref<8x64xf32>
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %a = stablehlo.abs %x : tensor<8x64xf32>
  %b = stablehlo.negate %x : tensor<8x64xf32>
  %f:5 = stablehlo.while(%i = %zero, %s = %empty, %t = %empty, %as = %a, %bs = %b) : tensor<i32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.dynamic_slice %as, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %v = stablehlo.dynamic_slice %bs, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %y = stablehlo.multiply %u, %v : tensor<1x64xf32>
    %z = stablehlo.add %u, %v : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %z, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    stablehlo.return %j, %s1, %t1, %as, %bs : tensor<i32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
  }
  return %f#1, %f#2 : tensor<8x64xf32>, tensor<8x64xf32>
}
