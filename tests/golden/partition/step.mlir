// A step on a batch of 12 among four processes: what depends on the batch is of three rows, sums over it are reduced, masks and
// counts are made of the part alone.
// RUN: echo-opt %s --partition="processes=4 batch=arg1" --canonicalize --cse | FileCheck %s
// RUN: echo-opt %s --partition="processes=4 batch=1:0" --canonicalize --cse | FileCheck %s
// RUN: echo-opt %s --partition="processes=1 batch=arg1" --canonicalize --cse | FileCheck %s --check-prefix=ONE

// CHECK:       module attributes {mhlo.num_partitions = 4 : i32}
// CHECK-NEXT:  func.func @main(%arg0: tensor<8x2xf32> {echo.parts = array<i64>}, %arg1: tensor<3x8xf32> {echo.parts = array<i64: 1, 1, 4>}) -> (tensor<8x2xf32> {echo.parts = array<i64>}, tensor<f32> {echo.parts = array<i64>}, tensor<3x2xf32> {echo.parts = array<i64: 1, 1, 4>})
// CHECK:       %[[PROCESS:.*]] = stablehlo.partition_id : tensor<ui32>
// CHECK:       stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x2xf32>) -> tensor<3x2xf32>
// CHECK:       stablehlo.iota dim = 0 : tensor<3x2xi64>
// CHECK:       stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:  "stablehlo.all_reduce"
// CHECK-SAME:  replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids
// The gradient is scaled, and then reduced: once.
// CHECK:       stablehlo.dot_general %arg1, {{.*}}, contracting_dims = [0] x [0] : (tensor<3x8xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
// CHECK:       stablehlo.multiply
// CHECK-NEXT:  "stablehlo.all_reduce"
// CHECK:       stablehlo.subtract %arg0
// CHECK-NOT:   tensor<12x
// ONE:         func.func @main(%arg0: tensor<8x2xf32>, %arg1: tensor<12x8xf32>)
// ONE-NOT:     all_reduce
func.func @main(%w: tensor<8x2xf32>, %x: tensor<12x8xf32>) -> (tensor<8x2xf32>, tensor<f32>, tensor<12x2xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<12x8xf32>, tensor<8x2xf32>) -> tensor<12x2xf32>
  %i = stablehlo.iota dim = 0 : tensor<12x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<12x2xf32>
  %t = stablehlo.add %i, %one : tensor<12x2xf32>
  %e = stablehlo.subtract %y, %t : tensor<12x2xf32>
  %sq = stablehlo.multiply %e, %e : tensor<12x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x2xf32>, tensor<f32>) -> tensor<f32>
  %dw = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0] : (tensor<12x8xf32>, tensor<12x2xf32>) -> tensor<8x2xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<8x2xf32>
  %d = stablehlo.multiply %rate, %dw : tensor<8x2xf32>
  %new = stablehlo.subtract %w, %d : tensor<8x2xf32>
  return %new, %loss, %e : tensor<8x2xf32>, tensor<f32>, tensor<12x2xf32>
}
