// RUN: echo-translate --cpu=skylake-avx512 %s | FileCheck %s
// RUN: echo-run --device=interpreter %s --outputs=%t.npz > /dev/null && echo-run %s --expect=%t.npz > /dev/null
// Of c ? x : (x & m | y & ~m), m a constant, LLVM 19 makes a masked vpternlogd with the truth table of another order of its operands: here zeros on a processor with AVX-512. The choice is fenced.
// CHECK-LABEL: define void @map_0.0
// CHECK: call <{{[0-9]+}} x float> @llvm.copysign.v{{[0-9]+}}f32
// CHECK: %[[FENCED:[^ ]+]] = call <{{[0-9]+}} x float> @llvm.arithmetic.fence.v{{[0-9]+}}f32
// CHECK: %[[CHOICE:[^ ]+]] = bitcast <{{[0-9]+}} x float> %[[FENCED]] to <{{[0-9]+}} x i32>
// CHECK: select <{{[0-9]+}} x i1> %{{[^,]+}}, <{{[0-9]+}} x i32> %{{[^,]+}}, <{{[0-9]+}} x i32> %[[CHOICE]]
// CHECK-LABEL: define void @map_1.0
// CHECK: call <{{[0-9]+}} x double> @llvm.arithmetic.fence.v{{[0-9]+}}f64
func.func @main(%x: tensor<8192xf32>, %y: tensor<8192xi64>, %z: tensor<8192xi64>) -> (tensor<8192xf32>, tensor<8192xi64>) {
  %0 = stablehlo.tanh %x : tensor<8192xf32>
  %1 = stablehlo.reduce_precision %0, format = e8m23 : tensor<8192xf32>
  %m = stablehlo.constant dense<5> : tensor<8192xi64>
  %n = stablehlo.not %m : tensor<8192xi64>
  %2 = stablehlo.and %y, %m : tensor<8192xi64>
  %3 = stablehlo.and %z, %n : tensor<8192xi64>
  %4 = stablehlo.or %2, %3 : tensor<8192xi64>
  %c = stablehlo.compare LT, %y, %z : (tensor<8192xi64>, tensor<8192xi64>) -> tensor<8192xi1>
  %5 = stablehlo.select %c, %4, %y : tensor<8192xi1>, tensor<8192xi64>
  return %1, %5 : tensor<8192xf32>, tensor<8192xi64>
}
