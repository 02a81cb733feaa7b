// Steps: a result with tf.aliasing_output becomes its argument, others by --feed; a feed file gives step k its slice.
// RUN: python3 %S/Inputs/make_npz.py %t.in.npz "arg0=<f4:2:0" "arg1=<f4::1" "arg2=<f4:2:9"
// RUN: python3 %S/Inputs/make_npz.py %t.feed.npz "arg2=<f4:3,2:1,10,2,20,3,30"
// RUN: echo-run %s --no-cache --inputs=%t.in.npz --feed=res1:arg1 --feed=%t.feed.npz --trace=%t.trace.npz | FileCheck %s --check-prefix=FED
// RUN: echo-run %s --device=interpreter --inputs=%t.in.npz --feed=res1:arg1,%t.feed.npz | FileCheck %s --check-prefix=FED
// Sum over k of slice k times 2^k.
// FED: median of 3
// FED: res0 = [17, 170]
// FED-NEXT: res1 = [8]

// Without feeds argument 1 and 2 stay.
// RUN: echo-run %s --no-cache --inputs=%t.in.npz --steps=4 | FileCheck %s --check-prefix=STAYS
// STAYS: res0 = [36, 36]
// STAYS-NEXT: res1 = [2]

// RUN: not echo-run %s --inputs=%t.in.npz --feed=%t.feed.npz --steps=4 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: --steps=4, but the feed holds 3

func.func @main(%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<f32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %weight = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %scaled = stablehlo.multiply %weight, %arg2 : tensor<2xf32>
  %sum = stablehlo.add %arg0, %scaled : tensor<2xf32>
  %next = stablehlo.add %arg1, %arg1 : tensor<f32>
  return %sum, %next : tensor<2xf32>, tensor<f32>
}
