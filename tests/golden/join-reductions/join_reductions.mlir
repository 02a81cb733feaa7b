// A reduction of what one like it has reduced is one, where what it goes through lies side by side.
// RUN: echo-opt --split-input-file --join-reductions --canonicalize --dce %s | FileCheck %s

// CHECK-LABEL: @rows
// CHECK:       stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NOT:   stablehlo.reduce
module @rows {
  func.func @main(%x: tensor<4x5x6xf32>) -> tensor<6xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}

// -----

// Three, one after the other, of maxima; dimensions of size 1 stand between nothing.
// CHECK-LABEL: @all
// CHECK:       stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [0, 2, 3] : (tensor<4x1x5x6xi32>, tensor<i32>) -> tensor<1xi32>
// CHECK-NOT:   stablehlo.reduce
module @all {
  func.func @main(%x: tensor<4x1x5x6xi32>) -> tensor<1xi32> {
    %low = stablehlo.constant dense<-9> : tensor<i32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x1x5x6xi32>, tensor<i32>) -> tensor<1x5x6xi32>
    %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<1x5x6xi32>, tensor<i32>) -> tensor<1x5xi32>
    %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<1x5xi32>, tensor<i32>) -> tensor<1xi32>
    return %2 : tensor<1xi32>
  }
}

// -----

// They stay where another dimension stands between, where somebody reads what is between, where the second begins with what the first would have begun with
// another time, and where they combine differently.
// CHECK-LABEL: @stays
// CHECK-COUNT-8: stablehlo.reduce
module @stays {
  func.func @main(%x: tensor<4x5x6xf32>) -> (tensor<5xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.minimum across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.minimum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %5 = stablehlo.reduce(%4 init: %one) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    return %1, %2, %3, %5, %7 : tensor<5xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
