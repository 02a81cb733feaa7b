// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/target_plugin/median.c -o %t.so
// RUN: echo-opt --load-pass-plugin=%t.so %s --split-input-file --call-targets | FileCheck %s
// RUN: echo-opt --load-pass-plugin=%t.so %s --split-input-file --call-targets -o %t.mlir && echo-opt --split-input-file %t.mlir | diff %t.mlir -

// A token, a value of a byte, goes from one effect to the next, through loops and branches, and leaves main hidden. StableHLO's own
// tokens become arrays of no elements; a condition with an effect is computed before the loop and at the end of its body; layouts
// become transposes; what has no effect needs no token.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: tensor<0xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<i1>) -> (tensor<0xi1>, tensor<2x3xf32> {jax.result_info = "y"}, tensor<i1>)
// CHECK-SAME:    echo.hidden_results = 1 : i64
func.func @main(%token: !stablehlo.token, %x: tensor<2x3xf32>, %flag: tensor<i1>) -> (!stablehlo.token, tensor<2x3xf32> {jax.result_info = "y"}) {
  // CHECK: %[[FIRST:.*]] = stablehlo.constant dense<false> : tensor<i1>
  // CHECK: %[[A:.*]] = "kernel.effect"(%[[FIRST]], %arg1) <{{.*}}config = {path = "a.csv"}{{.*}}has_token{{.*}}library = "target"{{.*}}symbol = "append_csv"
  %a = stablehlo.custom_call @append_csv(%token, %x) {api_version = 4 : i32, backend_config = {path = "a.csv"}} : (!stablehlo.token, tensor<2x3xf32>) -> !stablehlo.token
  // CHECK: %[[X:.*]] = stablehlo.transpose %arg1, dims = [1, 0]
  // CHECK: %[[Y:.*]] = "kernel.invoke"(%[[X]]) <{{.*}}symbol = "median_filter"{{.*}}(tensor<3x2xf32>) -> tensor<2x3xf32>
  %y = stablehlo.custom_call @median_filter(%x) {api_version = 4 : i32, backend_config = {width = 3 : i64}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[IF:.*]]:2 = "stablehlo.if"(%arg2)
  // CHECK:   %[[B:.*]] = "kernel.effect"(%[[A]],
  // CHECK:   stablehlo.return %{{.*}}, %[[B]]
  // CHECK:   stablehlo.return %{{.*}}, %[[A]]
  %z = "stablehlo.if"(%flag) ({
    stablehlo.custom_call @append_csv(%y) {api_version = 4 : i32, backend_config = {path = "b.csv"}, has_side_effect = true} : (tensor<2x3xf32>) -> ()
    stablehlo.return %y : tensor<2x3xf32>
  }, {
    stablehlo.return %x : tensor<2x3xf32>
  }) : (tensor<i1>) -> tensor<2x3xf32>
  // CHECK: %[[C:.*]] = "kernel.effect"(%[[IF]]#1, %{{.*}}) <{{.*}}path = "c.csv"
  // CHECK: %[[LOOP:.*]]:4 = stablehlo.while(%{{.*}} = %{{.*}}, %[[V:.*]] = %[[IF]]#0, %[[F:.*]] = %arg2, %{{.*}} = %[[C]])
  // CHECK:   stablehlo.return %[[F]]
  // CHECK: do {
  // CHECK:   %[[D:.*]] = "kernel.effect"(%{{.*}}, %[[V]]) <{{.*}}path = "c.csv"
  // CHECK:   stablehlo.return %{{.*}}, %[[V]], %arg2, %[[D]]
  // CHECK: return %[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#3
  %b = stablehlo.after_all %a : !stablehlo.token
  %c, %w = stablehlo.while(%t = %b, %v = %z) : !stablehlo.token, tensor<2x3xf32>
  cond {
    stablehlo.custom_call @append_csv(%v) {api_version = 4 : i32, backend_config = {path = "c.csv"}, has_side_effect = true} : (tensor<2x3xf32>) -> ()
    stablehlo.return %flag : tensor<i1>
  } do {
    stablehlo.return %t, %v : !stablehlo.token, tensor<2x3xf32>
  }
  return %c, %w : !stablehlo.token, tensor<2x3xf32>
}

// -----

// Where something takes a token that nothing carries out, all stays, and is refused later.
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.custom_call @append_csv
// CHECK: "stablehlo.outfeed"
func.func @main(%x: tensor<2xf32>) {
  %token = stablehlo.create_token : !stablehlo.token
  stablehlo.custom_call @append_csv(%x) {api_version = 4 : i32, backend_config = {path = "a.csv"}, has_side_effect = true} : (tensor<2xf32>) -> ()
  %t = "stablehlo.outfeed"(%x, %token) {outfeed_config = ""} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
