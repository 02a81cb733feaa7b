// RUN: echo-opt %s | FileCheck %s
// RUN: echo-opt %s -o %t.mlir && echo-opt %t.mlir | diff %t.mlir -

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
  return %0 : tensor<4xf32>
}
