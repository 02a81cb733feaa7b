// upstream: LLVM 19 does not know f4E2M1FN
// Floats below a byte travel as one of 8 bits that has all of theirs.
// RUN: echo-opt %s --lower-collectives | FileCheck %s

module attributes {mhlo.num_replicas = 2 : i32} {
  // CHECK-LABEL: func.func @main
  func.func @main(%x: tensor<3xf4E2M1FN>) -> tensor<3xf4E2M1FN> {
    // CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<3xf4E2M1FN>) -> tensor<3xf8E4M3FN>
    // CHECK: %[[BYTES:.*]] = stablehlo.bitcast_convert %[[WIDE]] : (tensor<3xf8E4M3FN>) -> tensor<3xui8>
    // CHECK: stablehlo.custom_call @echo.mpi.permute(%[[BYTES]])
    // CHECK: stablehlo.convert %{{.*}} : (tensor<3xf8E4M3FN>) -> tensor<3xf4E2M1FN>
    %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<3xf4E2M1FN>) -> tensor<3xf4E2M1FN>
    return %0 : tensor<3xf4E2M1FN>
  }
}
