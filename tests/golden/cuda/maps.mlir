// Maps on a GPU: memory is accessed 16 bytes at once and read past the coherent cache where the plan says that this is right, transposes go
// through shared memory, what moves is close to each input and output once.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cuda --quiet --outputs=%t/gpu.npz --kernels --json=%t/kernels.json
// RUN: echo-run %s --device=interpreter --quiet --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['launches']]; assert len(k) == 3; assert all(x['bytes'] <= 1.15 * x['floor_bytes'] and x['bank_conflicts'] == 0 for x in k); assert all(x['sector_use'] >= 0.9 for x in k if x['kind'] != 'window')"
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s

// CHECK:     .entry transpose_0__0
// CHECK:     .shared .align 16 .b8 {{.*}}[4224]
// CHECK:     ld.global.nc.f32
// CHECK:     bar.sync
// CHECK-NOT: bar.sync
// CHECK:     ret
// CHECK:     .entry map_0__0
// CHECK:     ld.global.nc.v4.f32
// CHECK:     ld.global.nc.v4.f32
// CHECK:     ld.global.v4.f32
// CHECK:     st.global.v4.f32
// CHECK:     st.global.v4.f32
func.func @main(%x: tensor<64x48xf32>, %bias: tensor<48xf32>, %across: tensor<3x72x40xf32>, %y: tensor<3x40x72xf32>, %image: tensor<2x4x16x16xf32>, %kept: tensor<64x48xf32> {tf.aliasing_output = 3 : i32}) -> (tensor<64x48xf32>, tensor<3x40x72xf32>, tensor<2x4x8x8xf32>, tensor<64x48xf32>) {
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<48xf32>) -> tensor<64x48xf32>
  %sum = stablehlo.add %x, %b : tensor<64x48xf32>
  %along = stablehlo.transpose %across, dims = [0, 2, 1] : (tensor<3x72x40xf32>) -> tensor<3x40x72xf32>
  %both = stablehlo.multiply %along, %y : tensor<3x40x72xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %pool = "stablehlo.reduce_window"(%image, %low) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%u: tensor<f32>, %v: tensor<f32>):
    %w = stablehlo.maximum %u, %v : tensor<f32>
    stablehlo.return %w : tensor<f32>
  }) : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %new = stablehlo.subtract %kept, %sum : tensor<64x48xf32>
  return %sum, %both, %pool, %new : tensor<64x48xf32>, tensor<3x40x72xf32>, tensor<2x4x8x8xf32>, tensor<64x48xf32>
}
