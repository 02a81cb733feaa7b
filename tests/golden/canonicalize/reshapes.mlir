// Elementwise ops on reshapes run in the shape that was reshaped, whatever shape the program counts elements in.
// RUN: echo-opt --split-input-file --canonicalize --cse %s | FileCheck %s

// Flat arrays, as an optimizer has them: the chain is in the shape of the product, and nothing is reshaped.
// CHECK-LABEL: @flat
// CHECK-NOT:   stablehlo.reshape
// CHECK:       stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4x6xf32>
// CHECK:       stablehlo.tanh {{.*}} : tensor<4x6xf32>
// CHECK:       stablehlo.add %{{.*}}, %arg1 : tensor<4x6xf32>
// CHECK-NOT:   stablehlo.reshape
// CHECK:       return
module @flat {
  func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %half = stablehlo.constant dense<0.5> : tensor<24xf32>
    %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    %1 = stablehlo.multiply %0, %half : tensor<24xf32>
    %2 = stablehlo.tanh %1 : tensor<24xf32>
    %3 = stablehlo.reshape %y : (tensor<4x6xf32>) -> tensor<24xf32>
    %4 = stablehlo.add %2, %3 : tensor<24xf32>
    %5 = stablehlo.reshape %4 : (tensor<24xf32>) -> tensor<4x6xf32>
    return %5 : tensor<4x6xf32>
  }
}

// -----

// Other element types than the result's, a number for all elements, a constant that differs from element to element.
// CHECK-LABEL: @mixed
// CHECK:       %[[C:.*]] = stablehlo.constant dense<{{\[\[1, 2, 3\], \[4, 5, 6\]\]}}> : tensor<2x3xi32>
// CHECK:       %[[P:.*]] = stablehlo.compare GT, %arg0, %[[C]] : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
// CHECK:       %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK:       %[[S:.*]] = stablehlo.select %[[P]], %arg1, %[[B]] : tensor<2x3xi1>, tensor<2x3xf32>
// CHECK:       %[[M:.*]] = stablehlo.clamp %arg2, %[[S]], %arg2 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK:       stablehlo.reshape %[[M]] : (tensor<2x3xf32>) -> tensor<6xf32>
module @mixed {
  func.func @main(%i: tensor<2x3xi32>, %x: tensor<2x3xf32>, %n: tensor<f32>) -> tensor<6xf32> {
    %c = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
    %0 = stablehlo.reshape %i : (tensor<2x3xi32>) -> tensor<6xi32>
    %1 = stablehlo.compare GT, %0, %c : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
    %3 = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.select %1, %2, %3 : tensor<6xi1>, tensor<6xf32>
    %5 = stablehlo.clamp %n, %4, %n : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %5 : tensor<6xf32>
  }
}

// -----

// What is read from two shapes runs in the first, without its dimensions of size 1.
// CHECK-LABEL: @two
// CHECK:       %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<4x1x6xf32>) -> tensor<4x6xf32>
// CHECK:       %[[Y:.*]] = stablehlo.reshape %arg1 : (tensor<2x12xf32>) -> tensor<4x6xf32>
// CHECK:       stablehlo.add %[[X]], %[[Y]] : tensor<4x6xf32>
module @two {
  func.func @main(%x: tensor<4x1x6xf32>, %y: tensor<2x12xf32>) -> tensor<24xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x1x6xf32>) -> tensor<24xf32>
    %1 = stablehlo.reshape %y : (tensor<2x12xf32>) -> tensor<24xf32>
    %2 = stablehlo.add %0, %1 : tensor<24xf32>
    return %2 : tensor<24xf32>
  }
}

// -----

// It stays where an operand has the shape of the result (it may have been any number of elements before), where only dimensions of size 1 come, and where a sharding speaks of dimensions.
// CHECK-LABEL: @stays
// CHECK:       stablehlo.add {{.*}} : tensor<24xf32>
// CHECK:       stablehlo.tanh {{.*}} : tensor<1x24xf32>
// CHECK:       stablehlo.negate {{.*}} : tensor<24xf32>
// CHECK:       stablehlo.multiply {{.*}} : tensor<24xf32>
module @stays {
  func.func @main(%x: tensor<4x6xf32>, %y: tensor<24xf32>, %z: tensor<?xf32>) -> (tensor<24xf32>, tensor<1x24xf32>, tensor<24xf32>, tensor<24xf32>) {
    %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    %1 = stablehlo.add %0, %y : tensor<24xf32>
    %2 = stablehlo.reshape %y : (tensor<24xf32>) -> tensor<1x24xf32>
    %3 = stablehlo.tanh %2 : tensor<1x24xf32>
    %4 = stablehlo.negate %0 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<24xf32>
    %5 = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<?xf32>) -> tensor<24xf32>
    %6 = stablehlo.multiply %0, %5 : tensor<24xf32>
    return %1, %3, %4, %6 : tensor<24xf32>, tensor<1x24xf32>, tensor<24xf32>, tensor<24xf32>
  }
}
