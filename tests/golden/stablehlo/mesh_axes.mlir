// RUN: echo-opt %s | FileCheck %s
// RUN: echo-opt %s -o %t.mlir && echo-opt %t.mlir | diff %t.mlir -

// As VHLO they are attributes of its own, which came with 1.16.0.
// RUN: echo-opt %s -o %t.mlir && echo-opt %s --emit-bytecode --target-version=1.16.0 | echo-opt - | diff %t.mlir -
// RUN: not echo-opt %s --emit-bytecode --target-version=1.15.0 -o %t.bc 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'stablehlo.all_reduce' op has a mesh, which VHLO has from version 1.16.0 on and not in 1.15.0

// Axes of a mesh stand on one line, however they are written.
// CHECK: #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "y  z">]>
func.func private @mesh()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = #stablehlo.replica_group_mesh_axes<
      mesh = @mesh,
      axes = [
        #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>,
        #stablehlo.axis_ref<name = "y  z">
      ]
    >}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  // A mesh that stands there itself; names may hold what looks like a part.
  // CHECK: mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>, #stablehlo.mesh_axis<name = "sub_axis_info = (1)2", size = 4>], device_ids = dense<{{.*}}> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "sub_axis_info = (1)2">, #stablehlo.axis_ref<name = "a, sub_axis_info = ", sub_axis_info = (1)2>]>
  %1 = "stablehlo.custom_call"(%0) {call_target_name = "other", has_side_effect = false, of = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>, #stablehlo.mesh_axis<name = "sub_axis_info = (1)2", size = 4>], device_ids = dense<[7, 6, 5, 4, 3, 2, 1, 0]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "sub_axis_info = (1)2">, #stablehlo.axis_ref<name = "a, sub_axis_info = ", sub_axis_info = (1)2>]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
