// Results that are fed to arguments are named where no argument's place says so; what is no such pair is refused.
// RUN: echo-opt %s --pass-pipeline='builtin.module(shard-state{feeds=res1:arg1})' --mlir-pass-statistics 2>&1 | FileCheck %s
// RUN: not echo-opt %s --pass-pipeline='builtin.module(shard-state{feeds=res1:arg9})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not echo-opt %s --pass-pipeline='builtin.module(shard-state{feeds=arg1})' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not echo-opt %s --pass-pipeline='builtin.module(shard-state{sums=none})' 2>&1 | FileCheck %s --check-prefix=SUMS

// CHECK:      (S) 1 sharded
// CHECK-NEXT: (S) 8 bytes
// CHECK:      func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>}) -> (tensor<f32>, tensor<2xf32> {echo.parts = array<i64: 1, 1, 2>})
// NONE:       feeds.mlir:[[@LINE+4]]:3: error: 'func.func' op 'res1:arg9' is no result and argument of it: resI:argJ
// TEXT:       feeds.mlir:[[@LINE+3]]:3: error: 'func.func' op 'arg1' is no result and argument of it: resI:argJ
// SUMS:       feeds.mlir:[[@LINE+1]]:1: error: 'builtin.module' op sums are made of the whole or of parts, not 'none'
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>, %m: tensor<4xf32> {echo.parts = array<i64>}) -> (tensor<f32>, tensor<4xf32> {echo.parts = array<i64>}) {
    %s = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %n = stablehlo.add %m, %s : tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    return %zero, %n : tensor<f32>, tensor<4xf32>
  }
}
