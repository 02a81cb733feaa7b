// Four layers, each wide inside. What a layer computes again waits beside the product that its second weights' gradient is taken by: computed
// again once more it takes less. Three times each tanh: forward, for that product, and for the gradient behind it.
// RUN: echo-opt %s --to=echoed --echo=budget=min -o %t.mlir && FileCheck %s < %t.mlir
// CHECK: echo.on_bytes = 360448
// CHECK-COUNT-12: stablehlo.tanh
// CHECK-NOT: stablehlo.tanh
// What fits in one round takes one.
// RUN: echo-opt %s --to=echoed --echo=budget=2MiB | FileCheck %s --check-prefix=ROOM
// ROOM-COUNT-4: stablehlo.tanh
// ROOM-NOT: stablehlo.tanh
// Both rounds are explained.
// RUN: echo-opt %s --to=echoed --echo=budget=min,explain=true -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-COUNT-8: stablehlo.tanh recomputed
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --quiet --outputs=%t.off.npz
// RUN: echo-run %s --no-cache --echo=budget=min --expect=%t.off.npz --rtol=0 --atol=0 --quiet
func.func @main(%x: tensor<256x32xf32>, %a1: tensor<32x128xf32>, %c1: tensor<128x32xf32>, %a2: tensor<32x128xf32>, %c2: tensor<128x32xf32>, %a3: tensor<32x128xf32>, %c3: tensor<128x32xf32>, %a4: tensor<32x128xf32>, %c4: tensor<128x32xf32>)
    -> (tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<256x128xf32>
  %h1 = stablehlo.dot_general %x, %a1, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x128xf32>) -> tensor<256x128xf32>
  %t1 = stablehlo.tanh %h1 : tensor<256x128xf32>
  %m1 = stablehlo.multiply %t1, %h1 : tensor<256x128xf32>
  %y1 = stablehlo.dot_general %m1, %c1, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x32xf32>) -> tensor<256x32xf32>
  %x1 = stablehlo.add %x, %y1 : tensor<256x32xf32>
  %h2 = stablehlo.dot_general %x1, %a2, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x128xf32>) -> tensor<256x128xf32>
  %t2 = stablehlo.tanh %h2 : tensor<256x128xf32>
  %m2 = stablehlo.multiply %t2, %h2 : tensor<256x128xf32>
  %y2 = stablehlo.dot_general %m2, %c2, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x32xf32>) -> tensor<256x32xf32>
  %x2 = stablehlo.add %x1, %y2 : tensor<256x32xf32>
  %h3 = stablehlo.dot_general %x2, %a3, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x128xf32>) -> tensor<256x128xf32>
  %t3 = stablehlo.tanh %h3 : tensor<256x128xf32>
  %m3 = stablehlo.multiply %t3, %h3 : tensor<256x128xf32>
  %y3 = stablehlo.dot_general %m3, %c3, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x32xf32>) -> tensor<256x32xf32>
  %x3 = stablehlo.add %x2, %y3 : tensor<256x32xf32>
  %h4 = stablehlo.dot_general %x3, %a4, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x128xf32>) -> tensor<256x128xf32>
  %t4 = stablehlo.tanh %h4 : tensor<256x128xf32>
  %m4 = stablehlo.multiply %t4, %h4 : tensor<256x128xf32>
  %y4 = stablehlo.dot_general %m4, %c4, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x32xf32>) -> tensor<256x32xf32>
  %x4 = stablehlo.add %x3, %y4 : tensor<256x32xf32>
  %g4 = stablehlo.sign %x4 : tensor<256x32xf32>
  %dc4 = stablehlo.dot_general %m4, %g4, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x32xf32>) -> tensor<128x32xf32>
  %dm4 = stablehlo.dot_general %g4, %c4, contracting_dims = [1] x [1] : (tensor<256x32xf32>, tensor<128x32xf32>) -> tensor<256x128xf32>
  %s4 = stablehlo.multiply %t4, %t4 : tensor<256x128xf32>
  %r4 = stablehlo.subtract %one, %s4 : tensor<256x128xf32>
  %u4 = stablehlo.multiply %h4, %r4 : tensor<256x128xf32>
  %v4 = stablehlo.add %t4, %u4 : tensor<256x128xf32>
  %dh4 = stablehlo.multiply %dm4, %v4 : tensor<256x128xf32>
  %da4 = stablehlo.dot_general %x3, %dh4, contracting_dims = [0] x [0] : (tensor<256x32xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
  %b4 = stablehlo.dot_general %dh4, %a4, contracting_dims = [1] x [1] : (tensor<256x128xf32>, tensor<32x128xf32>) -> tensor<256x32xf32>
  %g3 = stablehlo.add %g4, %b4 : tensor<256x32xf32>
  %dc3 = stablehlo.dot_general %m3, %g3, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x32xf32>) -> tensor<128x32xf32>
  %dm3 = stablehlo.dot_general %g3, %c3, contracting_dims = [1] x [1] : (tensor<256x32xf32>, tensor<128x32xf32>) -> tensor<256x128xf32>
  %s3 = stablehlo.multiply %t3, %t3 : tensor<256x128xf32>
  %r3 = stablehlo.subtract %one, %s3 : tensor<256x128xf32>
  %u3 = stablehlo.multiply %h3, %r3 : tensor<256x128xf32>
  %v3 = stablehlo.add %t3, %u3 : tensor<256x128xf32>
  %dh3 = stablehlo.multiply %dm3, %v3 : tensor<256x128xf32>
  %da3 = stablehlo.dot_general %x2, %dh3, contracting_dims = [0] x [0] : (tensor<256x32xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
  %b3 = stablehlo.dot_general %dh3, %a3, contracting_dims = [1] x [1] : (tensor<256x128xf32>, tensor<32x128xf32>) -> tensor<256x32xf32>
  %g2 = stablehlo.add %g3, %b3 : tensor<256x32xf32>
  %dc2 = stablehlo.dot_general %m2, %g2, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x32xf32>) -> tensor<128x32xf32>
  %dm2 = stablehlo.dot_general %g2, %c2, contracting_dims = [1] x [1] : (tensor<256x32xf32>, tensor<128x32xf32>) -> tensor<256x128xf32>
  %s2 = stablehlo.multiply %t2, %t2 : tensor<256x128xf32>
  %r2 = stablehlo.subtract %one, %s2 : tensor<256x128xf32>
  %u2 = stablehlo.multiply %h2, %r2 : tensor<256x128xf32>
  %v2 = stablehlo.add %t2, %u2 : tensor<256x128xf32>
  %dh2 = stablehlo.multiply %dm2, %v2 : tensor<256x128xf32>
  %da2 = stablehlo.dot_general %x1, %dh2, contracting_dims = [0] x [0] : (tensor<256x32xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
  %b2 = stablehlo.dot_general %dh2, %a2, contracting_dims = [1] x [1] : (tensor<256x128xf32>, tensor<32x128xf32>) -> tensor<256x32xf32>
  %g1 = stablehlo.add %g2, %b2 : tensor<256x32xf32>
  %dc1 = stablehlo.dot_general %m1, %g1, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x32xf32>) -> tensor<128x32xf32>
  %dm1 = stablehlo.dot_general %g1, %c1, contracting_dims = [1] x [1] : (tensor<256x32xf32>, tensor<128x32xf32>) -> tensor<256x128xf32>
  %s1 = stablehlo.multiply %t1, %t1 : tensor<256x128xf32>
  %r1 = stablehlo.subtract %one, %s1 : tensor<256x128xf32>
  %u1 = stablehlo.multiply %h1, %r1 : tensor<256x128xf32>
  %v1 = stablehlo.add %t1, %u1 : tensor<256x128xf32>
  %dh1 = stablehlo.multiply %dm1, %v1 : tensor<256x128xf32>
  %da1 = stablehlo.dot_general %x, %dh1, contracting_dims = [0] x [0] : (tensor<256x32xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
  return %da1, %dc1, %da2, %dc2, %da3, %dc3, %da4, %dc4
      : tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>
}
