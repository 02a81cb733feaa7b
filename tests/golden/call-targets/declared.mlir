// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/target_plugin/median.c -o %t.so
// RUN: echo-opt --load-plugin=%t.so %s --call-targets --widen-elements --split-complex --canonicalize | FileCheck %s
// RUN: echo-opt --load-pass-plugin=%t.so %s --call-targets --widen-elements --split-complex -o %t.mlir && echo-opt %t.mlir | diff %t.mlir -

// The step has pairs for complex numbers and bytes for narrow ones; a target is told the types that the program has, a token's with them.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x2xf32>, %arg1: tensor<3xui8>)
func.func @main(%z: tensor<3xcomplex<f32>>, %f: tensor<3xf8E5M2>) -> (tensor<3xcomplex<f32>>, tensor<3xf8E5M2>) {
  // CHECK: "kernel.effect"(%{{.*}}, %{{.*}}) <{{.*}}declared = (tensor<i1>, tensor<3xcomplex<f32>>) -> tensor<i1>,{{.*}}(tensor<i1>, tensor<3x2xf32>) -> tensor<i1>
  stablehlo.custom_call @append_csv(%z) {has_side_effect = true} : (tensor<3xcomplex<f32>>) -> ()
  // CHECK: "kernel.invoke"(%{{.*}}) <{{.*}}declared = (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>,{{.*}}(tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.custom_call @median_filter(%z) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  // CHECK: "kernel.invoke"(%arg1) <{{.*}}declared = (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>,{{.*}}(tensor<3xui8>) -> tensor<3xui8>
  %1 = stablehlo.custom_call @median_filter(%f) : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  return %0, %1 : tensor<3xcomplex<f32>>, tensor<3xf8E5M2>
}
