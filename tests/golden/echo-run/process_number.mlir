// RUN: not echo-run --no-cache %s 2>&1 | FileCheck %s

// What asks for its number does on one process what it would not on two.
// CHECK: echo-run: error: the module is for 2 processes, and there is 1: mpirun -n 2 echo-run
module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.add %0, %x : tensor<ui32>
    return %1 : tensor<ui32>
  }
}
