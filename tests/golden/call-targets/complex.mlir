// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/target_plugin/median.c -o %t.so
// RUN: echo-opt --load-pass-plugin=%t.so %s --call-targets --split-complex --canonicalize | FileCheck-19 %s
// RUN: echo-opt --load-pass-plugin=%t.so %s --call-targets --split-complex -o %t.mlir && echo-opt %t.mlir | diff %t.mlir -

// The step has pairs for complex numbers; a target is told the types that the program has, a token's with them.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x2xf32>)
func.func @main(%z: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // CHECK: "kernel.effect"(%{{.*}}, %{{.*}}) <{{.*}}declared = (tensor<i1>, tensor<3xcomplex<f32>>) -> tensor<i1>,{{.*}}(tensor<i1>, tensor<3x2xf32>) -> tensor<i1>
  stablehlo.custom_call @append_csv(%z) {has_side_effect = true} : (tensor<3xcomplex<f32>>) -> ()
  // CHECK: "kernel.invoke"(%{{.*}}) <{{.*}}declared = (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>,{{.*}}(tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.custom_call @median_filter(%z) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
