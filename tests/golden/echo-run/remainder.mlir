// The remainder of f32 is exact whatever the two are, as the interpreter (the C library) has it: of any bits, denormals kept and flushed, of
// numbers whose quotient is just below an integer, or 2^250, infinities, zeros; what is no number is 7 here.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/flush.npz && echo-run %s --no-cache --quiet --expect=%t/flush.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=interpreter --denormals=keep --quiet --outputs=%t/keep.npz
// RUN: echo-run %s --no-cache --denormals=keep --quiet --expect=%t/keep.npz --rtol=0 --atol=0
// RUN: echo-translate --emit=llvm %s | FileCheck %s
// CHECK-NOT: frem
// CHECK:     fdiv <{{[0-9]+}} x double>
// CHECK-NOT: frem
func.func private @rest(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> tensor<65536xi32> {
  %r = stablehlo.remainder %x, %y : tensor<65536xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<65536xf32>
  %is = stablehlo.compare EQ, %r, %r : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xi1>
  %s = stablehlo.select %is, %r, %seven : tensor<65536xi1>, tensor<65536xf32>
  %b = stablehlo.bitcast_convert %s : (tensor<65536xf32>) -> tensor<65536xi32>
  return %b : tensor<65536xi32>
}
func.func @main() -> (tensor<65536xi32>, tensor<65536xi32>, tensor<65536xi32>, tensor<7xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %m = stablehlo.constant dense<2654435761> : tensor<65536xui32>
  %n = stablehlo.constant dense<2246822519> : tensor<65536xui32>
  %a = stablehlo.multiply %i, %m : tensor<65536xui32>
  %b = stablehlo.multiply %a, %n : tensor<65536xui32>
  %x = stablehlo.bitcast_convert %a : (tensor<65536xui32>) -> tensor<65536xf32>
  %y = stablehlo.bitcast_convert %b : (tensor<65536xui32>) -> tensor<65536xf32>
  %0 = func.call @rest(%x, %y) : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xi32>
  %f = stablehlo.convert %a : (tensor<65536xui32>) -> tensor<65536xf32>
  %g = stablehlo.convert %i : (tensor<65536xui32>) -> tensor<65536xf32>
  %1 = func.call @rest(%f, %g) : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xi32>
  %one = stablehlo.constant dense<1> : tensor<65536xui32>
  %p = stablehlo.multiply %y, %g : tensor<65536xf32>
  %q = stablehlo.bitcast_convert %p : (tensor<65536xf32>) -> tensor<65536xui32>
  %r = stablehlo.subtract %q, %one : tensor<65536xui32>
  %t = stablehlo.bitcast_convert %r : (tensor<65536xui32>) -> tensor<65536xf32>
  %2 = func.call @rest(%t, %y) : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xi32>
  %u = stablehlo.constant dense<[0x7F7FFFFF, 3.0, -6.0, 0.0, -0.0, -5.5, 0x7F7FFFFF]> : tensor<7xf32>
  %v = stablehlo.constant dense<[0x00800003, 0x7F800000, 3.0, 2.0, 2.0, -2.0, 0x3F7FFFFF]> : tensor<7xf32>
  %3 = stablehlo.remainder %u, %v : tensor<7xf32>
  return %0, %1, %2, %3 : tensor<65536xi32>, tensor<65536xi32>, tensor<65536xi32>, tensor<7xf32>
}
