// RUN: echo-opt --split-input-file --chunk-rows --cse --dce %s | FileCheck %s
// RUN: echo-opt --split-input-file --chunk-rows --cse --dce %s | echo-opt --split-input-file --verify-roundtrip --no-output
// RUN: echo-opt --split-input-file --pass-pipeline="builtin.module(chunk-rows{target=sm_90 device=gpu-h100-80g})" %s | FileCheck --check-prefix=GPU %s

// A loss head: 16 rows of 65,536 logits go in four chunks, one after the other, each with its gradient at once. Rows are
// concatenated in the end, sums over rows are added up in order. What the one-hot is made of is made in each chunk; the mask, which
// came after the logits, is computed before.
// CHECK-LABEL: func.func @head
// CHECK-SAME:    %[[X:arg0]]: tensor<16x4xf32>, %[[W:arg1]]: tensor<4x65536xf32>
// CHECK-NOT:     16x65536
// CHECK:         %[[MASK:.*]] = stablehlo.convert %arg4
// CHECK-NOT:     16x65536
// CHECK:         stablehlo.slice %arg3 [0:4]
// CHECK:         stablehlo.slice %[[MASK]] [0:4]
// CHECK:         %[[X0:.*]] = stablehlo.slice %[[X]] [0:4, 0:4]
// CHECK-NEXT:    %[[L0:.*]] = stablehlo.dot_general %[[X0]], %[[W]], contracting_dims = [1] x [0] {echo.phase = "backward"} : (tensor<4x4xf32>, tensor<4x65536xf32>) -> tensor<4x65536xf32>
// CHECK:         %[[DX0:.*]] = stablehlo.dot_general %[[D0:.*]], %[[W]], contracting_dims = [1] x [1]
// CHECK:         %[[DW0:.*]] = stablehlo.dot_general %[[X0]], %[[D0]], contracting_dims = [0] x [0]
// CHECK:         %[[DB0:.*]] = stablehlo.reduce(%[[D0]]
// CHECK:         %[[X1:.*]] = stablehlo.slice %[[X]] [4:8, 0:4]
// CHECK-NEXT:    stablehlo.dot_general %[[X1]], %[[W]]
// CHECK:         %[[DX1:.*]] = stablehlo.dot_general %[[D1:.*]], %[[W]], contracting_dims = [1] x [1]
// CHECK:         %[[DW1:.*]] = stablehlo.dot_general %[[X1]], %[[D1]], contracting_dims = [0] x [0]
// CHECK-NEXT:    %[[DW01:.*]] = stablehlo.add %[[DW0]], %[[DW1]]
// CHECK:         %[[DB1:.*]] = stablehlo.reduce(%[[D1]]
// CHECK-NEXT:    %[[DB01:.*]] = stablehlo.add %[[DB0]], %[[DB1]]
// CHECK:         %[[DW012:.*]] = stablehlo.add %[[DW01]], %{{.*}}
// CHECK:         %[[DW:.*]] = stablehlo.add %[[DW012]], %{{.*}}
// CHECK:         stablehlo.concatenate {{.*}} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
// CHECK:         %[[DX:.*]] = stablehlo.concatenate %[[DX0]], %[[DX1]], {{.*}} -> tensor<16x4xf32>
// CHECK-NOT:     16x65536
// CHECK:         return {{.*}}, %[[DX]], %[[DW]], %{{.*}}
func.func @head(%x: tensor<16x4xf32>, %w: tensor<4x65536xf32>, %b: tensor<65536xf32>, %label: tensor<16xi32>, %is_word: tensor<16xi1>)
    -> (tensor<f32>, tensor<16x4xf32>, tensor<4x65536xf32>, tensor<65536xf32>) {
  %least = stablehlo.constant {echo.phase = "forward"} dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant {echo.phase = "forward"} dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant {echo.phase = "forward"} dense<0.0> : tensor<16x65536xf32>
  %ones = stablehlo.constant {echo.phase = "forward"} dense<1.0> : tensor<16x65536xf32>
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x4xf32>, tensor<4x65536xf32>) -> tensor<16x65536xf32>
  %b_rows = stablehlo.broadcast_in_dim %b, dims = [1] {echo.phase = "forward"} : (tensor<65536xf32>) -> tensor<16x65536xf32>
  %logits = stablehlo.add %product, %b_rows {echo.phase = "forward"} : tensor<16x65536xf32>
  %max = stablehlo.reduce(%logits init: %least) applies stablehlo.maximum across dimensions = [1] {echo.phase = "forward"} : (tensor<16x65536xf32>, tensor<f32>) -> tensor<16xf32>
  %max_rows = stablehlo.broadcast_in_dim %max, dims = [0] {echo.phase = "forward"} : (tensor<16xf32>) -> tensor<16x65536xf32>
  %shifted = stablehlo.subtract %logits, %max_rows {echo.phase = "forward"} : tensor<16x65536xf32>
  %e = stablehlo.exponential %shifted {echo.phase = "forward"} : tensor<16x65536xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] {echo.phase = "forward"} : (tensor<16x65536xf32>, tensor<f32>) -> tensor<16xf32>
  %iota = stablehlo.iota dim = 1 {echo.phase = "forward"} : tensor<16x65536xi32>
  %label_rows = stablehlo.broadcast_in_dim %label, dims = [0] {echo.phase = "forward"} : (tensor<16xi32>) -> tensor<16x65536xi32>
  %hit = stablehlo.compare EQ, %iota, %label_rows {echo.phase = "forward"} : (tensor<16x65536xi32>, tensor<16x65536xi32>) -> tensor<16x65536xi1>
  %picks = stablehlo.select %hit, %shifted, %zeros {echo.phase = "forward"} : tensor<16x65536xi1>, tensor<16x65536xf32>
  %pick = stablehlo.reduce(%picks init: %zero) applies stablehlo.add across dimensions = [1] {echo.phase = "forward"} : (tensor<16x65536xf32>, tensor<f32>) -> tensor<16xf32>
  %log = stablehlo.log %sum {echo.phase = "forward"} : tensor<16xf32>
  %each = stablehlo.subtract %log, %pick {echo.phase = "forward"} : tensor<16xf32>
  %mask = stablehlo.convert %is_word {echo.phase = "forward"} : (tensor<16xi1>) -> tensor<16xf32>
  %counted = stablehlo.multiply %each, %mask {echo.phase = "forward"} : tensor<16xf32>
  %loss = stablehlo.reduce(%counted init: %zero) applies stablehlo.add across dimensions = [0] {echo.phase = "forward"} : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %hot = stablehlo.select %hit, %ones, %zeros {echo.phase = "backward"} : tensor<16x65536xi1>, tensor<16x65536xf32>
  %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0] {echo.phase = "backward"} : (tensor<16xf32>) -> tensor<16x65536xf32>
  %p = stablehlo.divide %e, %sum_rows {echo.phase = "backward"} : tensor<16x65536xf32>
  %difference = stablehlo.subtract %p, %hot {echo.phase = "backward"} : tensor<16x65536xf32>
  %mask_rows = stablehlo.broadcast_in_dim %mask, dims = [0] {echo.phase = "backward"} : (tensor<16xf32>) -> tensor<16x65536xf32>
  %d = stablehlo.multiply %difference, %mask_rows {echo.phase = "backward"} : tensor<16x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x65536xf32>, tensor<4x65536xf32>) -> tensor<16x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<16x65536xf32>) -> tensor<4x65536xf32>
  %db = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] {echo.phase = "backward"} : (tensor<16x65536xf32>, tensor<f32>) -> tensor<65536xf32>
  return %loss, %dx, %dw, %db : tensor<f32>, tensor<16x4xf32>, tensor<4x65536xf32>, tensor<65536xf32>
}

// -----

// The model goes on behind the wide value, and its gradient comes back: in chunks both, where what they end in is a small part of it.
// A layer as wide as those of a Transformer stays whole: what it ends in is half of it.
// CHECK-LABEL: func.func @layer
// CHECK-NOT:     16x65536
// CHECK:         %[[T:.*]] = stablehlo.tanh {{.*}} {echo.phase = "forward"} : tensor<4x65536xf32>
// CHECK:         stablehlo.concatenate {{.*}} {echo.phase = "forward"} : {{.*}} -> tensor<16x4xf32>
// CHECK:         stablehlo.multiply {{.*}}, %[[T]] {echo.phase = "backward"} : tensor<4x65536xf32>
// CHECK-NOT:     16x65536
// Four times as wide as what goes in, its result and the three gradients take more than half of it together, but each span's
// less than what there would be at once. On a GPU chunks of it would not last for sixteen launches. Twice as wide it ends in half
// of it in the first span, and stays whole.
// CHECK-LABEL: func.func @four
// CHECK-NOT:     4096x1024
// CHECK:         stablehlo.concatenate {{.*}} {echo.phase = "forward"} : {{.*}} -> tensor<4096x256xf32>
// CHECK:         stablehlo.multiply {{.*}} {echo.phase = "backward"} : tensor<1024x1024xf32>
// CHECK-NOT:     4096x1024
// CHECK-LABEL: func.func @narrow
// CHECK:         stablehlo.dot_general {{.*}} -> tensor<4096x511xf32>
// GPU-LABEL:   func.func @four
// GPU:           stablehlo.dot_general {{.*}} -> tensor<4096x1024xf32>
// GPU-LABEL:   func.func @narrow
func.func @layer(%x: tensor<16x4xf32>, %w: tensor<4x65536xf32>, %v: tensor<65536x4xf32>, %g: tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>, tensor<4x65536xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x4xf32>, tensor<4x65536xf32>) -> tensor<16x65536xf32>
  %t = stablehlo.tanh %h {echo.phase = "forward"} : tensor<16x65536xf32>
  %y = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x65536xf32>, tensor<65536x4xf32>) -> tensor<16x4xf32>
  %dy = stablehlo.multiply %y, %g {echo.phase = "backward"} : tensor<16x4xf32>
  %dt = stablehlo.dot_general %dy, %v, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<65536x4xf32>) -> tensor<16x65536xf32>
  %d = stablehlo.multiply %dt, %t {echo.phase = "backward"} : tensor<16x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x65536xf32>, tensor<4x65536xf32>) -> tensor<16x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<16x65536xf32>) -> tensor<4x65536xf32>
  return %y, %dx, %dw : tensor<16x4xf32>, tensor<16x4xf32>, tensor<4x65536xf32>
}
func.func @four(%x: tensor<4096x256xf32>, %w: tensor<256x1024xf32>, %v: tensor<1024x256xf32>, %g: tensor<4096x256xf32>) -> (tensor<4096x256xf32>, tensor<4096x256xf32>, tensor<256x1024xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<4096x256xf32>, tensor<256x1024xf32>) -> tensor<4096x1024xf32>
  %t = stablehlo.tanh %h {echo.phase = "forward"} : tensor<4096x1024xf32>
  %y = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<4096x1024xf32>, tensor<1024x256xf32>) -> tensor<4096x256xf32>
  %dy = stablehlo.multiply %y, %g {echo.phase = "backward"} : tensor<4096x256xf32>
  %dt = stablehlo.dot_general %dy, %v, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<4096x256xf32>, tensor<1024x256xf32>) -> tensor<4096x1024xf32>
  %d = stablehlo.multiply %dt, %t {echo.phase = "backward"} : tensor<4096x1024xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<4096x1024xf32>, tensor<256x1024xf32>) -> tensor<4096x256xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<4096x256xf32>, tensor<4096x1024xf32>) -> tensor<256x1024xf32>
  return %y, %dx, %dw : tensor<4096x256xf32>, tensor<4096x256xf32>, tensor<256x1024xf32>
}
func.func @narrow(%x: tensor<4096x256xf32>, %w: tensor<256x511xf32>, %v: tensor<511x256xf32>, %g: tensor<4096x256xf32>) -> (tensor<4096x256xf32>, tensor<4096x256xf32>, tensor<256x511xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<4096x256xf32>, tensor<256x511xf32>) -> tensor<4096x511xf32>
  %t = stablehlo.tanh %h {echo.phase = "forward"} : tensor<4096x511xf32>
  %y = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<4096x511xf32>, tensor<511x256xf32>) -> tensor<4096x256xf32>
  %dy = stablehlo.multiply %y, %g {echo.phase = "backward"} : tensor<4096x256xf32>
  %dt = stablehlo.dot_general %dy, %v, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<4096x256xf32>, tensor<511x256xf32>) -> tensor<4096x511xf32>
  %d = stablehlo.multiply %dt, %t {echo.phase = "backward"} : tensor<4096x511xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<4096x511xf32>, tensor<256x511xf32>) -> tensor<4096x256xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<4096x256xf32>, tensor<4096x511xf32>) -> tensor<256x511xf32>
  return %y, %dx, %dw : tensor<4096x256xf32>, tensor<4096x256xf32>, tensor<256x511xf32>
}

// -----

// Its gradient is scaled by a sum over all rows of it: no chunk knows that before all are done.
// CHECK-LABEL: func.func @scaled
// CHECK-NOT:     16x65536
// CHECK:         %[[SUM:.*]] = stablehlo.add {{.*}} : tensor<f32>
// CHECK:         stablehlo.broadcast_in_dim %{{.*}}, dims = [] {{.*}} -> tensor<4x65536xf32>
// CHECK:         stablehlo.multiply {{.*}} {echo.phase = "backward"} : tensor<4x65536xf32>
// CHECK-NOT:     16x65536
func.func @scaled(%x: tensor<16x4xf32>, %w: tensor<4x65536xf32>) -> (tensor<f32>, tensor<16x4xf32>, tensor<4x65536xf32>) {
  %zero = stablehlo.constant {echo.phase = "forward"} dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x4xf32>, tensor<4x65536xf32>) -> tensor<16x65536xf32>
  %s = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1] {echo.phase = "forward"} : (tensor<16x65536xf32>, tensor<f32>) -> tensor<f32>
  %rows = stablehlo.broadcast_in_dim %s, dims = [] {echo.phase = "backward"} : (tensor<f32>) -> tensor<16x65536xf32>
  %d = stablehlo.multiply %h, %rows {echo.phase = "backward"} : tensor<16x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x65536xf32>, tensor<4x65536xf32>) -> tensor<16x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<16x65536xf32>) -> tensor<4x65536xf32>
  return %s, %dx, %dw : tensor<f32>, tensor<16x4xf32>, tensor<4x65536xf32>
}

// -----

// Somebody wants the logits themselves; too little to be worth it.
// CHECK-LABEL: func.func @wanted
// CHECK:         stablehlo.dot_general {{.*}} -> tensor<16x65536xf32>
// CHECK:         stablehlo.dot_general {{.*}} -> tensor<16x1024xf32>
func.func @wanted(%x: tensor<16x4xf32>, %w: tensor<4x65536xf32>, %z: tensor<4x1024xf32>)
    -> (tensor<16x65536xf32>, tensor<16x4xf32>, tensor<4x65536xf32>, tensor<16x4xf32>, tensor<4x1024xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x4xf32>, tensor<4x65536xf32>) -> tensor<16x65536xf32>
  %dx = stablehlo.dot_general %h, %w, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x65536xf32>, tensor<4x65536xf32>) -> tensor<16x4xf32>
  %dw = stablehlo.dot_general %x, %h, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<16x65536xf32>) -> tensor<4x65536xf32>
  %m = stablehlo.dot_general %x, %z, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<16x4xf32>, tensor<4x1024xf32>) -> tensor<16x1024xf32>
  %dm = stablehlo.dot_general %m, %z, contracting_dims = [1] x [1] {echo.phase = "backward"} : (tensor<16x1024xf32>, tensor<4x1024xf32>) -> tensor<16x4xf32>
  %dz = stablehlo.dot_general %x, %m, contracting_dims = [0] x [0] {echo.phase = "backward"} : (tensor<16x4xf32>, tensor<16x1024xf32>) -> tensor<4x1024xf32>
  return %h, %dx, %dw, %dm, %dz : tensor<16x65536xf32>, tensor<16x4xf32>, tensor<4x65536xf32>, tensor<16x4xf32>, tensor<4x1024xf32>
}


// -----

// What is made of the number of an element, its bits read as another type, is made again in each chunk: the rows' numbers are cut.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT:     {{2x8x65536|16x65536}}
// CHECK-DAG:     stablehlo.iota dim = 0 : tensor<2x8xui32>
// CHECK-DAG:     stablehlo.iota dim = 1 : tensor<2x8xui32>
// CHECK:         stablehlo.bitcast_convert {{.*}} : (tensor<4x65536xui32>) -> tensor<4x65536xf32>
// CHECK-NOT:     {{2x8x65536|16x65536}}
func.func @numbers(%x: tensor<2x8x4xf32>, %w: tensor<4x65536xf32>) -> tensor<2x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x8x4xf32>, tensor<4x65536xf32>) -> tensor<2x8x65536xf32>
  %i = stablehlo.iota dim = 0 : tensor<2x8x65536xui32>
  %j = stablehlo.iota dim = 1 : tensor<2x8x65536xui32>
  %k = stablehlo.iota dim = 2 : tensor<2x8x65536xui32>
  %ij = stablehlo.xor %i, %j : tensor<2x8x65536xui32>
  %bits = stablehlo.add %ij, %k : tensor<2x8x65536xui32>
  %factors = stablehlo.bitcast_convert %bits : (tensor<2x8x65536xui32>) -> tensor<2x8x65536xf32>
  %d = stablehlo.multiply %h, %factors : tensor<2x8x65536xf32>
  %sum = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x65536xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %sum : tensor<2x8xf32>
}
