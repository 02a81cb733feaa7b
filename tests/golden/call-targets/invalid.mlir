// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/target_plugin/median.c -o %t.so
// RUN: echo-opt --load-pass-plugin=%t.so %s --split-input-file --verify-diagnostics --call-targets

func.func @main(%x: tensor<?xf32>) {
  // expected-error@+1 {{hands over 'tensor<?xf32>', which is no tensor of a static shape}}
  stablehlo.custom_call @append_csv(%x) {has_side_effect = true} : (tensor<?xf32>) -> ()
  return
}

// -----

func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{has an effect, and stands in a region of 'stablehlo.reduce'}}
    stablehlo.custom_call @append_csv(%a) {has_side_effect = true} : (tensor<f32>) -> ()
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
