// RUN: echo-opt --sink-reductions --canonicalize --dce --split-input-file %s | FileCheck %s

// What a loop stacks is reduced over another dimension and over the slices themselves: rows are reduced where they are made, of the one
// a smaller stack is left, of the other a sum.
// CHECK-LABEL: func.func @main
// CHECK:         %[[R:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}) : tensor<i32>, tensor<64x32xf32>, tensor<256xf32>
// CHECK:           %[[ROW:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [2] {{.*}}tensor<1x32x256xf32>
// CHECK:           stablehlo.dynamic_update_slice %[[S]], %{{.*}}, %[[I]], {{.*}}: (tensor<64x32xf32>, tensor<1x32xf32>
// CHECK:           %[[SUM:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] {{.*}}-> tensor<256xf32>
// CHECK:           stablehlo.add %[[A]], %[[SUM]] : tensor<256xf32>
// CHECK:         return %[[R]]#1, %[[R]]#2
func.func @main(%x: tensor<64x32x256xf32>) -> (tensor<64x32xf32>, tensor<256xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<64x32x256xf32>
  %r:2 = stablehlo.while(%i = %c, %s = %z) : tensor<i32>, tensor<64x32x256xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.dynamic_slice %x, %i, %c0, %c0, sizes = [1, 32, 256] : (tensor<64x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
    %y = stablehlo.exponential %v : tensor<1x32x256xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0, %c0 : (tensor<64x32x256xf32>, tensor<1x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x32x256xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x32x256xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.reduce(%r#1 init: %f) applies stablehlo.add across dimensions = [2] : (tensor<64x32x256xf32>, tensor<f32>) -> tensor<64x32xf32>
  %b = stablehlo.reduce(%r#1 init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32x256xf32>, tensor<f32>) -> tensor<256xf32>
  return %a, %b : tensor<64x32xf32>, tensor<256xf32>
}

// -----

// Through a transpose and a product with what is there before the loop, of which the loop reads slices: the result is along the second
// dimension. The transpose of that array that the loop takes anyway is read in its place.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while(%[[X:.*]] = %{{.*}}, %[[I:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : tensor<64x32x256xf32>, tensor<i32>, tensor<64x32xf32>
// CHECK-NOT:       dynamic_slice %arg0
// CHECK:           stablehlo.dynamic_slice %[[X]], %[[I]]
// CHECK:           stablehlo.reduce
// CHECK:         stablehlo.transpose %{{.*}}#2, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
func.func @main(%x: tensor<32x64x256xf32>) -> tensor<32x64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<64x32x256xf32>
  %h = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<32x64x256xf32>) -> tensor<64x32x256xf32>
  %r:3 = stablehlo.while(%g = %h, %i = %c, %s = %z) : tensor<64x32x256xf32>, tensor<i32>, tensor<64x32x256xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.dynamic_slice %g, %i, %c0, %c0, sizes = [1, 32, 256] : (tensor<64x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
    %y = stablehlo.exponential %v : tensor<1x32x256xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0, %c0 : (tensor<64x32x256xf32>, tensor<1x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x32x256xf32>
    stablehlo.return %g, %j, %t : tensor<64x32x256xf32>, tensor<i32>, tensor<64x32x256xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %q = stablehlo.transpose %r#2, dims = [1, 0, 2] : (tensor<64x32x256xf32>) -> tensor<32x64x256xf32>
  %m = stablehlo.multiply %q, %x : tensor<32x64x256xf32>
  %a = stablehlo.reduce(%m init: %f) applies stablehlo.add across dimensions = [2] : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<32x64xf32>
  return %a : tensor<32x64xf32>
}

// -----

// Somebody else reads what the stack is mapped to: it stays.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<64x8192xf32>
// CHECK:         stablehlo.reduce
func.func @main(%x: tensor<64x8192xf32>) -> (tensor<64xf32>, tensor<64x8192xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<64x8192xf32>
  %r:2 = stablehlo.while(%i = %c, %s = %z) : tensor<i32>, tensor<64x8192xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.dynamic_slice %x, %i, %c0, sizes = [1, 8192] : (tensor<64x8192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8192xf32>
    %y = stablehlo.exponential %v : tensor<1x8192xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<64x8192xf32>, tensor<1x8192xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8192xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x8192xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %r#1, %r#1 : tensor<64x8192xf32>
  %a = stablehlo.reduce(%m init: %f) applies stablehlo.add across dimensions = [1] : (tensor<64x8192xf32>, tensor<f32>) -> tensor<64xf32>
  return %a, %m : tensor<64xf32>, tensor<64x8192xf32>
}

// -----

// A sum of halves over the slices would be kept in halves from one iteration to the next: it stays. So does one of slices that take less
// time to stack than to reduce one by one.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<64x8192xbf16>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<64x4xf32>
func.func @main(%x: tensor<64x8192xbf16>, %w: tensor<64x4xf32>) -> (tensor<8192xbf16>, tensor<64xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<64x8192xbf16>
  %r:2 = stablehlo.while(%i = %c, %s = %z) : tensor<i32>, tensor<64x8192xbf16>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.dynamic_slice %x, %i, %c0, sizes = [1, 8192] : (tensor<64x8192xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x8192xbf16>
    %y = stablehlo.exponential %v : tensor<1x8192xbf16>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<64x8192xbf16>, tensor<1x8192xbf16>, tensor<i32>, tensor<i32>) -> tensor<64x8192xbf16>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x8192xbf16>
  }
  %f = stablehlo.constant dense<0.0> : tensor<bf16>
  %a = stablehlo.reduce(%r#1 init: %f) applies stablehlo.add across dimensions = [0] : (tensor<64x8192xbf16>, tensor<bf16>) -> tensor<8192xbf16>
  %z2 = stablehlo.constant dense<0.0> : tensor<64x4xf32>
  %r2:2 = stablehlo.while(%i = %c, %s = %z2) : tensor<i32>, tensor<64x4xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.dynamic_slice %w, %i, %c0, sizes = [1, 4] : (tensor<64x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %y = stablehlo.exponential %v : tensor<1x4xf32>
    %t = stablehlo.dynamic_update_slice %s, %y, %i, %c0 : (tensor<64x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x4xf32>
  }
  %g = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.reduce(%r2#1 init: %g) applies stablehlo.add across dimensions = [1] : (tensor<64x4xf32>, tensor<f32>) -> tensor<64xf32>
  return %a, %b : tensor<8192xbf16>, tensor<64xf32>
}
