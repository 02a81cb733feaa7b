// Each level is multiplied by two factors, and each product is read at an index of its own: the level is there twice in the code, and its
// own level four times.
// RUN: echo-opt %s --to=kernels -o - | FileCheck %s
// RUN: echo-run %s --device=interpreter --seed=1 --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --seed=1 --expect=%t.npz --rtol=0 --atol=0 --quiet
// CHECK-COUNT-3: kernel.func
// CHECK-NOT: kernel.func
func.func @main(%x0: tensor<4xi32>, %a: tensor<i32>, %b: tensor<i32>) -> tensor<4096xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %b0 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %l0 = stablehlo.multiply %x0, %a0 : tensor<4xi32>
  %r0 = stablehlo.multiply %x0, %b0 : tensor<4xi32>
  %even0 = stablehlo.pad %l0, %zero, low = [0], high = [1], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  %odd0 = stablehlo.pad %r0, %zero, low = [1], high = [0], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  %x1 = stablehlo.add %even0, %odd0 : tensor<8xi32>
  %a1 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %b1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %l1 = stablehlo.multiply %x1, %a1 : tensor<8xi32>
  %r1 = stablehlo.multiply %x1, %b1 : tensor<8xi32>
  %even1 = stablehlo.pad %l1, %zero, low = [0], high = [1], interior = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<16xi32>
  %odd1 = stablehlo.pad %r1, %zero, low = [1], high = [0], interior = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<16xi32>
  %x2 = stablehlo.add %even1, %odd1 : tensor<16xi32>
  %a2 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<16xi32>
  %b2 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<16xi32>
  %l2 = stablehlo.multiply %x2, %a2 : tensor<16xi32>
  %r2 = stablehlo.multiply %x2, %b2 : tensor<16xi32>
  %even2 = stablehlo.pad %l2, %zero, low = [0], high = [1], interior = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<32xi32>
  %odd2 = stablehlo.pad %r2, %zero, low = [1], high = [0], interior = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<32xi32>
  %x3 = stablehlo.add %even2, %odd2 : tensor<32xi32>
  %a3 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<32xi32>
  %b3 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<32xi32>
  %l3 = stablehlo.multiply %x3, %a3 : tensor<32xi32>
  %r3 = stablehlo.multiply %x3, %b3 : tensor<32xi32>
  %even3 = stablehlo.pad %l3, %zero, low = [0], high = [1], interior = [1] : (tensor<32xi32>, tensor<i32>) -> tensor<64xi32>
  %odd3 = stablehlo.pad %r3, %zero, low = [1], high = [0], interior = [1] : (tensor<32xi32>, tensor<i32>) -> tensor<64xi32>
  %x4 = stablehlo.add %even3, %odd3 : tensor<64xi32>
  %a4 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %b4 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %l4 = stablehlo.multiply %x4, %a4 : tensor<64xi32>
  %r4 = stablehlo.multiply %x4, %b4 : tensor<64xi32>
  %even4 = stablehlo.pad %l4, %zero, low = [0], high = [1], interior = [1] : (tensor<64xi32>, tensor<i32>) -> tensor<128xi32>
  %odd4 = stablehlo.pad %r4, %zero, low = [1], high = [0], interior = [1] : (tensor<64xi32>, tensor<i32>) -> tensor<128xi32>
  %x5 = stablehlo.add %even4, %odd4 : tensor<128xi32>
  %a5 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<128xi32>
  %b5 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<128xi32>
  %l5 = stablehlo.multiply %x5, %a5 : tensor<128xi32>
  %r5 = stablehlo.multiply %x5, %b5 : tensor<128xi32>
  %even5 = stablehlo.pad %l5, %zero, low = [0], high = [1], interior = [1] : (tensor<128xi32>, tensor<i32>) -> tensor<256xi32>
  %odd5 = stablehlo.pad %r5, %zero, low = [1], high = [0], interior = [1] : (tensor<128xi32>, tensor<i32>) -> tensor<256xi32>
  %x6 = stablehlo.add %even5, %odd5 : tensor<256xi32>
  %a6 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<256xi32>
  %b6 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<256xi32>
  %l6 = stablehlo.multiply %x6, %a6 : tensor<256xi32>
  %r6 = stablehlo.multiply %x6, %b6 : tensor<256xi32>
  %even6 = stablehlo.pad %l6, %zero, low = [0], high = [1], interior = [1] : (tensor<256xi32>, tensor<i32>) -> tensor<512xi32>
  %odd6 = stablehlo.pad %r6, %zero, low = [1], high = [0], interior = [1] : (tensor<256xi32>, tensor<i32>) -> tensor<512xi32>
  %x7 = stablehlo.add %even6, %odd6 : tensor<512xi32>
  %a7 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<512xi32>
  %b7 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<512xi32>
  %l7 = stablehlo.multiply %x7, %a7 : tensor<512xi32>
  %r7 = stablehlo.multiply %x7, %b7 : tensor<512xi32>
  %even7 = stablehlo.pad %l7, %zero, low = [0], high = [1], interior = [1] : (tensor<512xi32>, tensor<i32>) -> tensor<1024xi32>
  %odd7 = stablehlo.pad %r7, %zero, low = [1], high = [0], interior = [1] : (tensor<512xi32>, tensor<i32>) -> tensor<1024xi32>
  %x8 = stablehlo.add %even7, %odd7 : tensor<1024xi32>
  %a8 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<1024xi32>
  %b8 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<1024xi32>
  %l8 = stablehlo.multiply %x8, %a8 : tensor<1024xi32>
  %r8 = stablehlo.multiply %x8, %b8 : tensor<1024xi32>
  %even8 = stablehlo.pad %l8, %zero, low = [0], high = [1], interior = [1] : (tensor<1024xi32>, tensor<i32>) -> tensor<2048xi32>
  %odd8 = stablehlo.pad %r8, %zero, low = [1], high = [0], interior = [1] : (tensor<1024xi32>, tensor<i32>) -> tensor<2048xi32>
  %x9 = stablehlo.add %even8, %odd8 : tensor<2048xi32>
  %a9 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<2048xi32>
  %b9 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<2048xi32>
  %l9 = stablehlo.multiply %x9, %a9 : tensor<2048xi32>
  %r9 = stablehlo.multiply %x9, %b9 : tensor<2048xi32>
  %even9 = stablehlo.pad %l9, %zero, low = [0], high = [1], interior = [1] : (tensor<2048xi32>, tensor<i32>) -> tensor<4096xi32>
  %odd9 = stablehlo.pad %r9, %zero, low = [1], high = [0], interior = [1] : (tensor<2048xi32>, tensor<i32>) -> tensor<4096xi32>
  %x10 = stablehlo.add %even9, %odd9 : tensor<4096xi32>
  return %x10 : tensor<4096xi32>
}
