// A product's epilogue reads and writes memory as a map of its own does: four of a row at once, though what it adds may be written over; what is of a column is read once for all rows.
// RUN: echo-translate %s --emit=ptx --target=sm_80 | FileCheck %s
// CHECK:     .entry contraction_0__0(
// CHECK:     bar.sync
// CHECK:     ld.global.nc.v4.f32
// CHECK:     ld.global.v4.f32
// CHECK:     st.global.v4.f32
// CHECK-NOT: ld.global.nc
// CHECK:     ret;
func.func @main(%x: tensor<1024x256xf32>, %w: tensor<256x1024xf32>, %bias: tensor<1024xf32>, %res: tensor<1024x1024xf32> {tf.aliasing_output = 0 : i32}) -> tensor<1024x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x256xf32>, tensor<256x1024xf32>) -> tensor<1024x1024xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %1 = stablehlo.add %0, %b : tensor<1024x1024xf32>
  %2 = stablehlo.maximum %1, %b : tensor<1024x1024xf32>
  %3 = stablehlo.add %2, %res : tensor<1024x1024xf32>
  return %3 : tensor<1024x1024xf32>
}
