// A slice put into an array in place is all that a GPU's kernel goes through, too: a scan's stack is not written whole at each step, and what the slice is made of
// may be read where it goes. At a place that is not aligned, along either dimension, and as a row's sum.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-5 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = json.load(open('%t/kernels.json'))['kernels']; assert sum(x['bytes'] * x['launches'] for x in k) < 20 * 400 * 512 * 4 / 10, [(x['kernel'], x['bytes'], x['launches']) for x in k]"

func.func @main(%w: tensor<400x512xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<40x9xf32> {tf.aliasing_output = 1 : i32}, %u: tensor<1x512xf32>, %s: tensor<3x5xf32>, %m: tensor<30xf32> {tf.aliasing_output = 2 : i32}) -> (tensor<400x512xf32>, tensor<40x9xf32>, tensor<30xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %end = stablehlo.constant dense<20> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %w, %b = %v, %c = %m) : tensor<i32>, tensor<400x512xf32>, tensor<40x9xf32>, tensor<30xf32>
  cond {
    %g = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  } do {
    %row = stablehlo.multiply %i, %three : tensor<i32>
    %x = stablehlo.dynamic_slice %a, %row, %zero, sizes = [1, 512] : (tensor<400x512xf32>, tensor<i32>, tensor<i32>) -> tensor<1x512xf32>
    %y = stablehlo.add %x, %u : tensor<1x512xf32>
    %a1 = stablehlo.dynamic_update_slice %a, %y, %row, %zero : (tensor<400x512xf32>, tensor<1x512xf32>, tensor<i32>, tensor<i32>) -> tensor<400x512xf32>
    %p = stablehlo.dynamic_slice %b, %i, %three, sizes = [3, 5] : (tensor<40x9xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
    %q = stablehlo.multiply %p, %s : tensor<3x5xf32>
    %b1 = stablehlo.dynamic_update_slice %b, %q, %i, %three : (tensor<40x9xf32>, tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<40x9xf32>
    %t = stablehlo.reduce(%q init: %none) applies stablehlo.add across dimensions = [1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %c1 = stablehlo.dynamic_update_slice %c, %t, %i : (tensor<30xf32>, tensor<3xf32>, tensor<i32>) -> tensor<30xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a1, %b1, %c1 : tensor<i32>, tensor<400x512xf32>, tensor<40x9xf32>, tensor<30xf32>
  }
  return %0#1, %0#2, %0#3 : tensor<400x512xf32>, tensor<40x9xf32>, tensor<30xf32>
}
