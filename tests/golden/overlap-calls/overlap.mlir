// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/target_plugin/median.c -o %t.so
// RUN: echo-opt --load-pass-plugin=%t.so %s --to=planned -o %t.planned.mlir && FileCheck %s < %t.planned.mlir
// RUN: echo-opt %t.planned.mlir --verify-plan -o /dev/null
// RUN: echo-opt --load-pass-plugin=%t.so %s --to=kernels | echo-opt --load-pass-plugin=%t.so - --bufferize --plan-memory | FileCheck --check-prefix=SAME %s
// RUN: rm -rf %t.a %t.b && mkdir %t.a %t.b
// RUN: cd %t.a && echo-run --load-pass-plugin=%t.so %s --quiet --steps=2 --threads=1
// RUN: cd %t.b && echo-run --load-pass-plugin=%t.so %t.planned.mlir --quiet --steps=2 --threads=2
// RUN: diff %t.a/one.csv %t.b/one.csv && wc -l < %t.a/one.csv | FileCheck --check-prefix=ROWS %s
// RUN: rm -rf %t.c && mkdir -p %t.c/one.csv && cd %t.c && not echo-run --load-pass-plugin=%t.so %s --quiet 2>&1 | FileCheck --check-prefix=FAILS %s

// One that fails is told where it stands, and nothing is written by the one behind it.
// FAILS: overlap.mlir:{{[0-9]+}}:3: error: {{.*}} calls 'append_csv', which failed: Is a directory
// FAILS-NOT: error:
//
// The calls run beside what does not need them: the first is under way while the second product is made, and the second begins
// behind its token. An effect of a target that may not overlap would wait for both. The plan is no larger: SAME is that without.
// ROWS: 4
// SAME: plan.temp_bytes = 8192 :
// CHECK: plan.temp_bytes = 8192 :
// CHECK-LABEL: func.func @main
// CHECK: %[[FIRST:.*]] = "kernel.launch"({{.*}}callee = @library_{{.*}}-> !plan.event
// CHECK-NEXT: = "plan.buffer"
// CHECK-NEXT: "kernel.launch"({{.*}}@contraction
// CHECK: %[[SECOND:.*]] = "kernel.launch"({{.*}}callee = @library_{{.*}}-> !plan.event
// CHECK-NEXT: "kernel.launch"({{.*}}@contraction
// CHECK-NEXT: "plan.wait"(%[[FIRST]])
// CHECK-NEXT: "plan.wait"(%[[SECOND]])
// CHECK-NEXT: "kernel.launch"({{.*}}@row_reduce
func.func @main(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  stablehlo.custom_call @append_csv(%0) {has_side_effect = true, api_version = 4 : i32, backend_config = {path = "one.csv"}} : (tensor<32x32xf32>) -> ()
  %1 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  stablehlo.custom_call @append_csv(%1) {has_side_effect = true, api_version = 4 : i32, backend_config = {path = "one.csv"}} : (tensor<32x32xf32>) -> ()
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %2, %3 : tensor<32x32xf32>, tensor<32xf32>
}
