// RUN: echo-opt %s --forward-movement | FileCheck %s
// RUN: echo-opt %s --forward-movement --forward-movement | FileCheck %s
// RUN: echo-opt %s --forward-movement --verify-roundtrip -o /dev/null

// A slice of a concatenation is the part.
// CHECK-LABEL: func.func @stack(
// CHECK-NEXT:    %[[A:.*]] = stablehlo.tanh %arg0
// CHECK-NEXT:    %[[B:.*]] = stablehlo.tanh %[[A]]
// CHECK-NEXT:    %[[C:.*]] = stablehlo.tanh %[[B]]
// CHECK-NEXT:    %[[P:.*]] = stablehlo.multiply %[[C]], %[[A]]
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.multiply %[[P]], %[[B]]
// CHECK-NEXT:    return %[[Q]]
func.func @stack(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = stablehlo.tanh %x : tensor<8x4xf32>
  %b = stablehlo.tanh %a : tensor<8x4xf32>
  %c = stablehlo.tanh %b : tensor<8x4xf32>
  %a1 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %b1 = stablehlo.reshape %b : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %c1 = stablehlo.reshape %c : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %ab = stablehlo.concatenate %a1, %b1, dim = 0 : (tensor<1x8x4xf32>, tensor<1x8x4xf32>) -> tensor<2x8x4xf32>
  %all = stablehlo.concatenate %ab, %c1, dim = 0 : (tensor<2x8x4xf32>, tensor<1x8x4xf32>) -> tensor<3x8x4xf32>
  %two = stablehlo.slice %all [0:2, 0:8, 0:4] : (tensor<3x8x4xf32>) -> tensor<2x8x4xf32>
  %s0 = stablehlo.slice %two [0:1, 0:8, 0:4] : (tensor<2x8x4xf32>) -> tensor<1x8x4xf32>
  %s1 = stablehlo.slice %two [1:2, 0:8, 0:4] : (tensor<2x8x4xf32>) -> tensor<1x8x4xf32>
  %a2 = stablehlo.reshape %s0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
  %b2 = stablehlo.reshape %s1 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
  %p = stablehlo.multiply %c, %a2 : tensor<8x4xf32>
  %q = stablehlo.multiply %p, %b2 : tensor<8x4xf32>
  return %q : tensor<8x4xf32>
}

// The same, built by updates at constant places and read back by dynamic slices; a start beyond the end is moved inside, and
// what was written over is not found.
// CHECK-LABEL: func.func @updates(
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant
// CHECK-NEXT:    %[[A:.*]] = stablehlo.tanh %arg0
// CHECK-NEXT:    %[[B:.*]] = stablehlo.tanh %[[A]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.broadcast_in_dim %[[Z]], dims = [] : (tensor<f32>) -> tensor<1x4xf32>
// CHECK-NEXT:    %[[P:.*]] = stablehlo.multiply %[[B]], %[[A]]
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.add %[[P]], %[[E]]
// CHECK-NEXT:    return %[[Q]]
func.func @updates(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i1 = stablehlo.constant dense<1> : tensor<i32>
  %i9 = stablehlo.constant dense<9> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %a = stablehlo.tanh %x : tensor<1x4xf32>
  %b = stablehlo.tanh %a : tensor<1x4xf32>
  %s0 = stablehlo.dynamic_update_slice %zeros, %x, %i1, %i0 : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %s1 = stablehlo.dynamic_update_slice %s0, %a, %i1, %i0 : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %s2 = stablehlo.dynamic_update_slice %s1, %b, %i9, %i0 : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %b2 = stablehlo.dynamic_slice %s2, %i9, %i0, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %a2 = stablehlo.dynamic_slice %s2, %i1, %i0, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %e = stablehlo.dynamic_slice %s2, %i0, %i0, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %p = stablehlo.multiply %b2, %a2 : tensor<1x4xf32>
  %q = stablehlo.add %p, %e : tensor<1x4xf32>
  return %q : tensor<1x4xf32>
}

// What is read of a pad is its operand, or its filling; every other element of a pad with gaps is its operand.
// CHECK-LABEL: func.func @pads(
// CHECK-NEXT:    %[[ONE:.*]] = stablehlo.constant
// CHECK-NEXT:    %[[S:.*]] = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %[[F:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT:    %[[G:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:    return %[[S]], %[[F]], %arg0, %[[G]]
func.func @pads(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %p = stablehlo.pad %x, %one, low = [3], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %q = stablehlo.pad %x, %one, low = [0], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %0 = stablehlo.slice %p [4:6] : (tensor<7xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %p [0:3] : (tensor<7xf32>) -> tensor<3xf32>
  %2 = stablehlo.slice %q [0:7:2] : (tensor<7xf32>) -> tensor<4xf32>
  %3 = stablehlo.slice %q [1:5:2] : (tensor<7xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<2xf32>
}

// Movement of movement is one op, or none; rows of (time, batch) that were laid one behind the other are the steps.
// CHECK-LABEL: func.func @composed(
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.slice %arg0 [1:2, 0:3, 0:4]
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %[[S]] : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:    return %[[T]], %arg0, %[[R]]
func.func @composed(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.reverse %2, dims = [0] : tensor<2x3x4xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<2x3x4xf32>
  %5 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %6 = stablehlo.slice %5 [3:6, 0:4] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  return %1, %4, %6 : tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<3x4xf32>
}

// Indices that count evenly are a slice, backward too; others stay.
// CHECK-LABEL: func.func @gathers(
// CHECK:         %[[S:.*]] = stablehlo.slice %arg0 [1:6:2, 0:4]
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reverse %[[S]], dims = [0]
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.gather"(%{{.*}}, %{{.*}})
// CHECK-NEXT:    return %[[R]], %[[G]]
func.func @gathers(%x: tensor<6x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %down = stablehlo.constant dense<[5, 3, 1]> : tensor<3xi32>
  %any = stablehlo.constant dense<[5, 4, 1]> : tensor<3xi32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %u = stablehlo.transpose %t, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %0 = "stablehlo.gather"(%u, %down) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  %1 = "stablehlo.gather"(%x, %any) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}

// A small slice stays where it is taken: its slices would keep the large value alive. Of an argument, which is there anyway, they
// do not.
// CHECK-LABEL: func.func @never_dearer(
// CHECK:         %[[BIG:.*]] = stablehlo.tanh
// CHECK-NEXT:    %[[SMALL:.*]] = stablehlo.slice %[[BIG]] [0:4]
// CHECK:         %[[LATE:.*]] = stablehlo.slice %[[SMALL]] [1:3]
// CHECK:         %[[KEPT:.*]] = stablehlo.slice %arg0 [1:3]
// CHECK:         stablehlo.add %[[LATE]], %[[KEPT]]
func.func @never_dearer(%x: tensor<1024xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %big = stablehlo.tanh %x : tensor<1024xf32>
  %small = stablehlo.slice %big [0:4] : (tensor<1024xf32>) -> tensor<4xf32>
  %other = stablehlo.slice %x [0:4] : (tensor<1024xf32>) -> tensor<4xf32>
  %sum = stablehlo.add %small, %other : tensor<4xf32>
  %busy = stablehlo.slice %sum [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %0 = stablehlo.tanh %busy : tensor<2xf32>
  %late = stablehlo.slice %small [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  %kept = stablehlo.slice %other [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %late, %kept : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Somebody reads the stack as a whole: it stays, and its parts need not live beside it.
// CHECK-LABEL: func.func @whole(
// CHECK:         %[[ALL:.*]] = stablehlo.concatenate
// CHECK:         stablehlo.tanh %[[ALL]]
// CHECK:         stablehlo.slice %[[ALL]] [4:8]
func.func @whole(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %a = stablehlo.tanh %x : tensor<4xf32>
  %b = stablehlo.tanh %a : tensor<4xf32>
  %all = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %0 = stablehlo.tanh %all : tensor<8xf32>
  %s = stablehlo.slice %all [4:8] : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %s : tensor<4xf32>
  %2 = stablehlo.multiply %0, %all : tensor<8xf32>
  return %2, %1 : tensor<8xf32>, tensor<4xf32>
}

// Blocks of loops are looked at as well.
// CHECK-LABEL: func.func @loop(
// CHECK:         } do {
// CHECK-NOT:     concatenate
// CHECK:           %[[D:.*]] = stablehlo.tanh %[[X:.*]] :
// CHECK:           stablehlo.multiply %[[D]], %[[X]]
func.func @loop(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.tanh %c : tensor<4xf32>
    %both = stablehlo.concatenate %d, %c, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %d2 = stablehlo.slice %both [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %c2 = stablehlo.slice %both [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %m = stablehlo.multiply %d2, %c2 : tensor<4xf32>
    stablehlo.return %next, %m : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// A broadcast that only adds a dimension of size 1, and a transpose that only moves one, are reshapes; rows of each batch in their
// order are a slice.
// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT:    %[[A:.*]] = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<3x1x4xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.slice %arg0 [0:3, 1:3]
// CHECK-NEXT:    return %[[A]], %[[B]], %[[S]]
func.func @reshapes(%x: tensor<3x4xf32>) -> (tensor<1x3x4xf32>, tensor<3x1x4xf32>, tensor<3x2xf32>) {
  %at = stablehlo.constant dense<[[[1], [2]], [[1], [2]], [[1], [2]]]> : tensor<3x2x1xi32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<1x3x4xf32>) -> tensor<3x1x4xf32>
  %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %4 = "stablehlo.gather"(%3, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
  return %0, %1, %4 : tensor<1x3x4xf32>, tensor<3x1x4xf32>, tensor<3x2xf32>
}
