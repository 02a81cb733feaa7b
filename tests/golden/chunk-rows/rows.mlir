// RUN: echo-opt --split-input-file --chunk-rows --cse --dce %s | FileCheck %s
// RUN: echo-opt --split-input-file --chunk-rows --cse --dce %s | echo-opt --split-input-file --verify-roundtrip --no-output
// RUN: echo-opt --split-input-file --chunk-rows --cse --dce %s | echo-opt --split-input-file --chunk-rows --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: (S) 0 heads

// No phases, a prime number of rows: 17 of them in four chunks of 4 and one of 1.
// CHECK-LABEL: func.func @prime
// CHECK-NOT:     17x65536
// CHECK:         stablehlo.slice %arg0 [0:4, 0:4]
// CHECK:         stablehlo.slice %arg0 [12:16, 0:4]
// CHECK:         stablehlo.slice %arg0 [16:17, 0:4]
// CHECK:         stablehlo.concatenate {{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<17x4xf32>
// CHECK-NOT:     17x65536
func.func @prime(%x: tensor<17x4xf32>, %w: tensor<4x65536xf32>) -> (tensor<17x4xf32>, tensor<4x65536xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<17x4xf32>, tensor<4x65536xf32>) -> tensor<17x65536xf32>
  %d = stablehlo.tanh %h : tensor<17x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] : (tensor<17x65536xf32>, tensor<4x65536xf32>) -> tensor<17x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<17x4xf32>, tensor<17x65536xf32>) -> tensor<4x65536xf32>
  return %dx, %dw : tensor<17x4xf32>, tensor<4x65536xf32>
}

// -----

// Two leading dimensions are rows together, however often the step takes them apart; of a batch of one, the other dimension is. The
// words come first where the weights are the left side.
// CHECK-LABEL: func.func @together
// CHECK-NOT:     {{2x9x65536|18x65536|65536x2x9}}
// CHECK:         %[[X:.*]] = stablehlo.reshape %arg0 {{.*}} : (tensor<2x9x4xf32>) -> tensor<18x4xf32>
// CHECK:         stablehlo.slice %[[X]] [0:5, 0:4]
// CHECK:         stablehlo.dot_general {{.*}}, contracting_dims = [1] x [1] {{.*}} : (tensor<65536x4xf32>, tensor<5x4xf32>) -> tensor<65536x5xf32>
// CHECK:         stablehlo.transpose {{.*}}, dims = [1, 0] {{.*}} -> tensor<5x65536xf32>
// CHECK:         %[[DX:.*]] = stablehlo.concatenate {{.*}} -> tensor<18x4xf32>
// CHECK:         stablehlo.reshape %[[DX]] {{.*}} -> tensor<2x9x4xf32>
// CHECK-LABEL: func.func @batch_of_one
// CHECK:         stablehlo.slice %arg0 [0:1, 0:4, 0:4]
// CHECK:         stablehlo.dot_general {{.*}}, contracting_dims = [0, 1] x [0, 1] {{.*}} : (tensor<1x4x65536xf32>, tensor<1x4x4xf32>) -> tensor<65536x4xf32>
func.func @together(%x: tensor<2x9x4xf32>, %w: tensor<65536x4xf32>, %b: tensor<65536xf32>) -> (tensor<2x9x4xf32>, tensor<65536x4xf32>, tensor<65536xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %product = stablehlo.dot_general %w, %x, contracting_dims = [1] x [2] : (tensor<65536x4xf32>, tensor<2x9x4xf32>) -> tensor<65536x2x9xf32>
  %rows = stablehlo.transpose %product, dims = [1, 2, 0] : (tensor<65536x2x9xf32>) -> tensor<2x9x65536xf32>
  %b_row = stablehlo.reshape %b : (tensor<65536xf32>) -> tensor<1x1x65536xf32>
  %b_rows = stablehlo.broadcast_in_dim %b_row, dims = [0, 1, 2] : (tensor<1x1x65536xf32>) -> tensor<2x9x65536xf32>
  %h = stablehlo.add %rows, %b_rows : tensor<2x9x65536xf32>
  %flat = stablehlo.reshape %h : (tensor<2x9x65536xf32>) -> tensor<18x65536xf32>
  %sum = stablehlo.reduce(%flat init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<18x65536xf32>, tensor<f32>) -> tensor<18xf32>
  %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<18xf32>) -> tensor<18x65536xf32>
  %t = stablehlo.divide %flat, %sum_rows : tensor<18x65536xf32>
  %d = stablehlo.reshape %t : (tensor<18x65536xf32>) -> tensor<2x9x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [2] x [0] : (tensor<2x9x65536xf32>, tensor<65536x4xf32>) -> tensor<2x9x4xf32>
  %dw = stablehlo.dot_general %d, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<2x9x65536xf32>, tensor<2x9x4xf32>) -> tensor<65536x4xf32>
  %db = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x9x65536xf32>, tensor<f32>) -> tensor<65536xf32>
  return %dx, %dw, %db : tensor<2x9x4xf32>, tensor<65536x4xf32>, tensor<65536xf32>
}
func.func @batch_of_one(%x: tensor<1x17x4xf32>, %w: tensor<65536x4xf32>) -> (tensor<1x17x4xf32>, tensor<65536x4xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1] : (tensor<1x17x4xf32>, tensor<65536x4xf32>) -> tensor<1x17x65536xf32>
  %d = stablehlo.tanh %h : tensor<1x17x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [2] x [0] : (tensor<1x17x65536xf32>, tensor<65536x4xf32>) -> tensor<1x17x4xf32>
  %dw = stablehlo.dot_general %d, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<1x17x65536xf32>, tensor<1x17x4xf32>) -> tensor<65536x4xf32>
  return %dx, %dw : tensor<1x17x4xf32>, tensor<65536x4xf32>
}

// -----

// What depends on a sum over one dimension leaves the other: sequences are rows, not words of them.
// CHECK-LABEL: func.func @sequences
// CHECK:         stablehlo.slice %arg0 [0:2, 0:2, 0:4]
// CHECK:         stablehlo.dot_general {{.*}} -> tensor<2x2x65536xf32>
func.func @sequences(%x: tensor<8x2x4xf32>, %w: tensor<4x65536xf32>) -> (tensor<8x2x4xf32>, tensor<4x65536xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<8x2x4xf32>, tensor<4x65536xf32>) -> tensor<8x2x65536xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x2x65536xf32>, tensor<f32>) -> tensor<8xf32>
  %rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<8xf32>) -> tensor<8x2x65536xf32>
  %d = stablehlo.multiply %h, %rows : tensor<8x2x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [2] x [1] : (tensor<8x2x65536xf32>, tensor<4x65536xf32>) -> tensor<8x2x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0, 1] x [0, 1] : (tensor<8x2x4xf32>, tensor<8x2x65536xf32>) -> tensor<4x65536xf32>
  return %dx, %dw : tensor<8x2x4xf32>, tensor<4x65536xf32>
}

// -----

// Metrics beside the loss: the place of the largest logit, the largest two; words that only pad the vocabulary are cut off, and are
// zero in the gradient. Sums of bf16 are added up in f32.
// CHECK-LABEL: func.func @metrics
// CHECK-NOT:     {{32x65536|32x65535}}
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<8x4xbf16>, tensor<4x65536xbf16>) -> tensor<8x65536xbf16>
// CHECK:         stablehlo.slice {{.*}} [0:8, 0:65535]
// CHECK:         stablehlo.reduce
// CHECK:         "stablehlo.sort"{{.*}}dimension = 1
// CHECK:         stablehlo.slice {{.*}} [0:8, 0:2]
// CHECK:         stablehlo.pad {{.*}} high = [0, 1]
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<8x4xbf16>, tensor<8x65536xbf16>) -> tensor<4x65536xf32>
// CHECK:         stablehlo.add {{.*}} : tensor<4x65536xf32>
// CHECK:         stablehlo.convert {{.*}} : (tensor<4x65536xf32>) -> tensor<4x65536xbf16>
// CHECK-NOT:     {{32x65536|32x65535}}
func.func @metrics(%x: tensor<32x4xbf16>, %w: tensor<4x65536xbf16>) -> (tensor<32xi32>, tensor<32x2xi32>, tensor<32x4xbf16>, tensor<4x65536xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x4xbf16>, tensor<4x65536xbf16>) -> tensor<32x65536xbf16>
  %words = stablehlo.slice %h [0:32, 0:65535] : (tensor<32x65536xbf16>) -> tensor<32x65535xbf16>
  %at = stablehlo.iota dim = 1 : tensor<32x65535xi32>
  %best:2 = stablehlo.reduce(%words init: %least), (%at init: %none) across dimensions = [1] : (tensor<32x65535xbf16>, tensor<32x65535xi32>, tensor<bf16>, tensor<i32>) -> (tensor<32xbf16>, tensor<32xi32>)
   reducer(%a: tensor<bf16>, %b: tensor<bf16>) (%i: tensor<i32>, %j: tensor<i32>) {
    %is_larger = stablehlo.compare GT, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %value = stablehlo.select %is_larger, %a, %b : tensor<i1>, tensor<bf16>
    %place = stablehlo.select %is_larger, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<bf16>, tensor<i32>
  }
  %sorted:2 = "stablehlo.sort"(%words, %at) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>, %i: tensor<i32>, %j: tensor<i32>):
    %is_larger = stablehlo.compare GT, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %is_larger : tensor<i1>
  }) : (tensor<32x65535xbf16>, tensor<32x65535xi32>) -> (tensor<32x65535xbf16>, tensor<32x65535xi32>)
  %top = stablehlo.slice %sorted#1 [0:32, 0:2] : (tensor<32x65535xi32>) -> tensor<32x2xi32>
  %t = stablehlo.tanh %words : tensor<32x65535xbf16>
  %d = stablehlo.pad %t, %zero, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<32x65535xbf16>, tensor<bf16>) -> tensor<32x65536xbf16>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] : (tensor<32x65536xbf16>, tensor<4x65536xbf16>) -> tensor<32x4xbf16>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<32x4xbf16>, tensor<32x65536xbf16>) -> tensor<4x65536xbf16>
  return %best#1, %top, %dx, %dw : tensor<32xi32>, tensor<32x2xi32>, tensor<32x4xbf16>, tensor<4x65536xbf16>
}

// -----

// Without a gradient: each row ends in a number.
// CHECK-LABEL: func.func @evaluate
// CHECK-NOT:     16x65536
func.func @evaluate(%x: tensor<16x4xf32>, %w: tensor<4x65536xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x65536xf32>) -> tensor<16x65536xf32>
  %e = stablehlo.exponential %h : tensor<16x65536xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x65536xf32>, tensor<f32>) -> tensor<16xf32>
  %log = stablehlo.log %sum : tensor<16xf32>
  %loss = stablehlo.reduce(%log init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A teacher's logits move into the chunks, with all that only they need; a weight a sequence is spread over its words first.
// CHECK-LABEL: func.func @teacher
// CHECK-NOT:     {{2x8x65536|16x65536}}
// CHECK:         %[[WEIGHTS:.*]] = stablehlo.broadcast_in_dim %arg4, dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>
// CHECK:         stablehlo.reshape %[[WEIGHTS]]
// CHECK:         stablehlo.dot_general {{.*}}, %arg3, {{.*}} -> tensor<4x65536xf32>
// CHECK-NOT:     {{2x8x65536|16x65536}}
func.func @teacher(%x: tensor<2x8x4xf32>, %w: tensor<4x65536xf32>, %y: tensor<2x8x4xf32>, %v: tensor<4x65536xf32>, %weight: tensor<2xf32>) -> (tensor<2x8x4xf32>, tensor<4x65536xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %teacher = stablehlo.dot_general %y, %v, contracting_dims = [2] x [0] : (tensor<2x8x4xf32>, tensor<4x65536xf32>) -> tensor<2x8x65536xf32>
  %total = stablehlo.reduce(%teacher init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x65536xf32>, tensor<f32>) -> tensor<2x8xf32>
  %root = stablehlo.sqrt %total : tensor<2x8xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x8x4xf32>, tensor<4x65536xf32>) -> tensor<2x8x65536xf32>
  %roots = stablehlo.broadcast_in_dim %root, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x65536xf32>
  %t = stablehlo.divide %teacher, %roots : tensor<2x8x65536xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x65536xf32>, tensor<f32>) -> tensor<2x8xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x65536xf32>
  %p = stablehlo.divide %h, %sums : tensor<2x8x65536xf32>
  %difference = stablehlo.subtract %p, %t : tensor<2x8x65536xf32>
  %weights = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<2xf32>) -> tensor<2x8x65536xf32>
  %d = stablehlo.multiply %difference, %weights : tensor<2x8x65536xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [2] x [1] : (tensor<2x8x65536xf32>, tensor<4x65536xf32>) -> tensor<2x8x4xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x4xf32>, tensor<2x8x65536xf32>) -> tensor<4x65536xf32>
  return %dx, %dw : tensor<2x8x4xf32>, tensor<4x65536xf32>
}

// -----

// What comes out, the gradient of x most of all, is more than half as large as what is cut.
// CHECK-LABEL: func.func @narrow
// CHECK:         stablehlo.dot_general {{.*}} -> tensor<4096x512xf32>
func.func @narrow(%x: tensor<4096x256xf32>, %w: tensor<256x512xf32>) -> (tensor<4096x256xf32>, tensor<256x512xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x512xf32>) -> tensor<4096x512xf32>
  %d = stablehlo.tanh %h : tensor<4096x512xf32>
  %dx = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] : (tensor<4096x512xf32>, tensor<256x512xf32>) -> tensor<4096x256xf32>
  %dw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<4096x256xf32>, tensor<4096x512xf32>) -> tensor<256x512xf32>
  return %dx, %dw : tensor<4096x256xf32>, tensor<256x512xf32>
}

// -----

// What is cheap is made again in the chunks where it is as wide as they are. The sum of the layers so far is not: it stands whole, once,
// whatever it was made of.
// CHECK-LABEL: func.func @residual
// CHECK:         %[[SUM:.*]] = stablehlo.add %arg0, %arg1 : tensor<1024x1024xf32>
// CHECK-NOT:     stablehlo.add
// CHECK:         stablehlo.slice %[[SUM]] [0:256, 0:1024]
// CHECK-NOT:     stablehlo.add
// CHECK:         stablehlo.concatenate {{.*}} -> tensor<1024x1024xf32>
// CHECK:         stablehlo.add {{.*}}, %[[SUM]] : tensor<1024x1024xf32>
func.func @residual(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>, %w: tensor<1024x4096xf32>, %v: tensor<4096x1024xf32>) -> tensor<1024x1024xf32> {
  %sum = stablehlo.add %x, %y : tensor<1024x1024xf32>
  %h = stablehlo.dot_general %sum, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
  %t = stablehlo.tanh %h : tensor<1024x4096xf32>
  %z = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] : (tensor<1024x4096xf32>, tensor<4096x1024xf32>) -> tensor<1024x1024xf32>
  %r = stablehlo.add %z, %sum : tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}
