// What an op mixes it takes whole: gathered once, computed by all, and cut again where it meets parts.
// RUN: echo-opt %s --split-input-file --partition="processes=4 batch=arg0" --canonicalize --dce | FileCheck %s

// A product of the batch with itself: rows stay, columns are gathered.
// CHECK-LABEL: @product
// CHECK:       %[[ALL:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64
// CHECK:       stablehlo.dot_general %arg0, %[[ALL]], contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
module @product {
  func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// CHECK-LABEL: @reversed
// CHECK:       %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK:       %[[R:.*]] = stablehlo.reverse %[[ALL]], dims = [0] : tensor<8xf32>
// CHECK:       %[[PART:.*]] = stablehlo.dynamic_slice %[[R]]
// CHECK:       stablehlo.add %arg0, %[[PART]] : tensor<2xf32>
module @reversed {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
    %1 = stablehlo.add %x, %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// A shape that no row of digits goes through.
// CHECK-LABEL: @torn
// CHECK:       "stablehlo.all_gather"(%arg0)
// CHECK:       -> tensor<3x4xf32>
module @torn {
  func.func @main(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x3xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// -----

// From what is not zero, and by what no reduction between processes is: the whole, by all.
// CHECK-LABEL: @reduced
// CHECK:       %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK:       stablehlo.reduce(%[[ALL]] init: %{{.*}}) applies stablehlo.add
// CHECK:       stablehlo.reduce(%[[ALL]] init: %{{.*}}) applies stablehlo.multiply
// CHECK-NOT:   all_reduce
module @reduced {
  func.func @main(%x: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
}

// -----

// A loop that turns what it carries: as it came in, each time.
// CHECK-LABEL: @turned
// CHECK:       stablehlo.while
// CHECK-SAME:  tensor<i32>, tensor<1x4xf32>
// CHECK:       %[[T:.*]] = stablehlo.transpose %{{.*}} : (tensor<1x4xf32>) -> tensor<4x1xf32>
// CHECK:       stablehlo.reshape %[[T]]
// CHECK:       "stablehlo.all_to_all"
// CHECK-NOT:   all_gather
// CHECK:       stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<1x4xf32>
module @turned {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.transpose %h, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %j = stablehlo.add %i, %n : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, tensor<4x4xf32>
    }
    return %r#1 : tensor<4x4xf32>
  }
}
