// What JAX writes of jax.debug.print, of ordered callbacks and of io_callback without a result only tells the Python process something: it is left out, with a warning, where it stands, and the tokens of its order with it.
// RUN: echo-run %s --no-cache 2>&1 | FileCheck %s
// RUN: echo-run %s --no-cache --echo=budget=min 2>&1 | FileCheck %s
// RUN: echo-run %s --device=interpreter 2>&1 | FileCheck %s
// CHECK-DAG: told.mlir:[[@LINE+12]]:9: warning: 'stablehlo.custom_call' op is left out: it only tells something to a function of the Python process that wrote the program, which is reached by JAX's plug-in alone
// CHECK-DAG: told.mlir:[[@LINE+17]]:11: warning: 'stablehlo.custom_call' op is left out
// CHECK-DAG: told.mlir:[[@LINE+22]]:3: warning: 'stablehlo.custom_call' op is left out
// CHECK: res0 = {{\[\]}}
// CHECK-NEXT: res1 = {{\[32\]}}
module {
func.func public @main(%token: !stablehlo.token {jax.token = true}) -> (!stablehlo.token {jax.token = true}, tensor<f32>) {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>

  %t0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%token, %x) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
  %0:3 = stablehlo.while(%i = %n, %t = %t0, %v = %x) : tensor<i32>, !stablehlo.token, tensor<f32>
   cond {
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t1 = stablehlo.custom_call @xla_python_gpu_callback(%t, %v) {has_side_effect = true, backend_config = "7"} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
    %w = stablehlo.add %v, %v : tensor<f32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t1, %w : tensor<i32>, !stablehlo.token, tensor<f32>
  }

  stablehlo.custom_call @xla_ffi_python_cpu_callback(%0#2) {has_side_effect = true, mhlo.backend_config = {index = 1 : ui64}} : (tensor<f32>) -> ()
  return %0#1, %0#2 : !stablehlo.token, tensor<f32>
}
}
