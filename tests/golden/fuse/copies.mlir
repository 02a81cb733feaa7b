// Each level is read at two indices: fused whole, the code of the first would be there 1,024 times. Eight copies of a node are the most in
// one kernel, so the ten levels are three kernels.
// RUN: echo-opt %s --to=kernels -o - | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --expect=%t.npz --rtol=0 --atol=0 --quiet
// CHECK-COUNT-3: kernel.func
// CHECK-NOT: kernel.func
func.func @main(%x0: tensor<4xi32>) -> tensor<4096xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %even0 = stablehlo.pad %x0, %zero, low = [0], high = [1], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  %odd0 = stablehlo.pad %x0, %zero, low = [1], high = [0], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  %x1 = stablehlo.add %even0, %odd0 : tensor<8xi32>
  %even1 = stablehlo.pad %x1, %zero, low = [0], high = [1], interior = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<16xi32>
  %odd1 = stablehlo.pad %x1, %zero, low = [1], high = [0], interior = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<16xi32>
  %x2 = stablehlo.add %even1, %odd1 : tensor<16xi32>
  %even2 = stablehlo.pad %x2, %zero, low = [0], high = [1], interior = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<32xi32>
  %odd2 = stablehlo.pad %x2, %zero, low = [1], high = [0], interior = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<32xi32>
  %x3 = stablehlo.add %even2, %odd2 : tensor<32xi32>
  %even3 = stablehlo.pad %x3, %zero, low = [0], high = [1], interior = [1] : (tensor<32xi32>, tensor<i32>) -> tensor<64xi32>
  %odd3 = stablehlo.pad %x3, %zero, low = [1], high = [0], interior = [1] : (tensor<32xi32>, tensor<i32>) -> tensor<64xi32>
  %x4 = stablehlo.add %even3, %odd3 : tensor<64xi32>
  %even4 = stablehlo.pad %x4, %zero, low = [0], high = [1], interior = [1] : (tensor<64xi32>, tensor<i32>) -> tensor<128xi32>
  %odd4 = stablehlo.pad %x4, %zero, low = [1], high = [0], interior = [1] : (tensor<64xi32>, tensor<i32>) -> tensor<128xi32>
  %x5 = stablehlo.add %even4, %odd4 : tensor<128xi32>
  %even5 = stablehlo.pad %x5, %zero, low = [0], high = [1], interior = [1] : (tensor<128xi32>, tensor<i32>) -> tensor<256xi32>
  %odd5 = stablehlo.pad %x5, %zero, low = [1], high = [0], interior = [1] : (tensor<128xi32>, tensor<i32>) -> tensor<256xi32>
  %x6 = stablehlo.add %even5, %odd5 : tensor<256xi32>
  %even6 = stablehlo.pad %x6, %zero, low = [0], high = [1], interior = [1] : (tensor<256xi32>, tensor<i32>) -> tensor<512xi32>
  %odd6 = stablehlo.pad %x6, %zero, low = [1], high = [0], interior = [1] : (tensor<256xi32>, tensor<i32>) -> tensor<512xi32>
  %x7 = stablehlo.add %even6, %odd6 : tensor<512xi32>
  %even7 = stablehlo.pad %x7, %zero, low = [0], high = [1], interior = [1] : (tensor<512xi32>, tensor<i32>) -> tensor<1024xi32>
  %odd7 = stablehlo.pad %x7, %zero, low = [1], high = [0], interior = [1] : (tensor<512xi32>, tensor<i32>) -> tensor<1024xi32>
  %x8 = stablehlo.add %even7, %odd7 : tensor<1024xi32>
  %even8 = stablehlo.pad %x8, %zero, low = [0], high = [1], interior = [1] : (tensor<1024xi32>, tensor<i32>) -> tensor<2048xi32>
  %odd8 = stablehlo.pad %x8, %zero, low = [1], high = [0], interior = [1] : (tensor<1024xi32>, tensor<i32>) -> tensor<2048xi32>
  %x9 = stablehlo.add %even8, %odd8 : tensor<2048xi32>
  %even9 = stablehlo.pad %x9, %zero, low = [0], high = [1], interior = [1] : (tensor<2048xi32>, tensor<i32>) -> tensor<4096xi32>
  %odd9 = stablehlo.pad %x9, %zero, low = [1], high = [0], interior = [1] : (tensor<2048xi32>, tensor<i32>) -> tensor<4096xi32>
  %x10 = stablehlo.add %even9, %odd9 : tensor<4096xi32>
  return %x10 : tensor<4096xi32>
}
