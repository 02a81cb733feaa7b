// Zeros that several scatters begin with are made for each of them, right before it, and added to in their place: as one array they would be there until
// the last scatter, and copied by all others.
// RUN: echo-opt %s --isolate-regions | FileCheck %s
// RUN: echo-opt %s --isolate-regions | echo-opt --isolate-regions | FileCheck %s
// RUN: echo-run %s --plan-only --quiet --json=%t.json
// RUN: python3 -c "import json; n = json.load(open('%t.json'))['planned_temp_bytes']; assert n <= 4096 * 32 * 4 + 4096, n"
// RUN: echo-run %s --device=interpreter --seed=1 --quiet --outputs=%t.npz
// RUN: echo-run %s --seed=1 --no-cache --quiet --expect=%t.npz

// CHECK:      %[[A:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4096x32xf32>
// CHECK-NEXT: "stablehlo.scatter"(%[[A]], %arg0
// CHECK:      %[[B:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4096x32xf32>
// CHECK-NEXT: "stablehlo.scatter"(%[[B]], %arg1
func.func @main(%i: tensor<64x1xi32>, %j: tensor<64x1xi32>, %u: tensor<64x32xf32>, %p: tensor<4096x32xf32> {tf.aliasing_output = 0 : i32}, %q: tensor<4096x32xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<4096x32xf32>, tensor<4096x32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4096x32xf32>
  %g = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4096x32xf32>, tensor<64x1xi32>, tensor<64x32xf32>) -> tensor<4096x32xf32>
  %x = stablehlo.subtract %p, %g : tensor<4096x32xf32>
  %h = "stablehlo.scatter"(%zero, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4096x32xf32>, tensor<64x1xi32>, tensor<64x32xf32>) -> tensor<4096x32xf32>
  %y = stablehlo.subtract %q, %h : tensor<4096x32xf32>
  return %x, %y : tensor<4096x32xf32>, tensor<4096x32xf32>
}
