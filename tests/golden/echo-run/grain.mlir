// How work is cut into tasks is the device model's, the bits are the op's: whatever a launch takes, and on any number of threads.
// RUN: mkdir -p %t && printf 'name = eager\nlaunch_ns = 10\n' > %t/eager.device && printf 'name = slow\nlaunch_ns = 1e9\n' > %t/slow.device
// RUN: echo-opt %s --to=planned -o %t/planned.mlir
// RUN: echo-opt %t/planned.mlir --to=loops --device-model=%t/eager.device -o %t/eager.mlir
// RUN: echo-opt %t/planned.mlir --to=loops --device-model=%t/slow.device -o %t/slow.mlir
// RUN: not cmp -s %t/eager.mlir %t/slow.mlir
// RUN: echo-run %t/planned.mlir --no-cache --seed=3 --outputs=%t/default.npz
// RUN: echo-run %t/eager.mlir --no-cache --seed=3 --threads=3 --outputs=%t/eager.npz
// RUN: echo-run %t/slow.mlir --no-cache --seed=3 --threads=2 --outputs=%t/slow.npz
// RUN: cmp %t/default.npz %t/eager.npz && cmp %t/default.npz %t/slow.npz
func.func @main(%x: tensor<300x513xf32>, %w: tensor<513x40xf32>, %i: tensor<70x1xi32>) -> (tensor<300x513xf32>, tensor<513xf32>, tensor<300x40xf32>, tensor<300x513xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<300x513xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<300x513xf32>, tensor<f32>) -> tensor<300xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<300xf32>) -> tensor<300x513xf32>
  %3 = stablehlo.divide %0, %2 : tensor<300x513xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<300x513xf32>, tensor<f32>) -> tensor<513xf32>
  %5 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<300x513xf32>, tensor<513x40xf32>) -> tensor<300x40xf32>
  %6 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 513>}> : (tensor<300x513xf32>, tensor<70x1xi32>) -> tensor<70x513xf32>
  %7 = "stablehlo.scatter"(%x, %i, %6) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<300x513xf32>, tensor<70x1xi32>, tensor<70x513xf32>) -> tensor<300x513xf32>
  return %3, %4, %5, %7 : tensor<300x513xf32>, tensor<513xf32>, tensor<300x40xf32>, tensor<300x513xf32>
}
