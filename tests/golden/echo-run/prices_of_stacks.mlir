// A row put into a stack that a loop carries is priced as the row, not as the stack, which nothing else moves.
// RUN: echo-run %s --plan-only --quiet --kernels --json=%t
// RUN: python3 -c "import json; ns = sorted(k['predicted_ns'] for k in json.load(open('%t'))['kernels'] if k['kind'] == 'map'); assert ns[0] < 5000 and ns[0] * 20 < max(ns), ns"

func.func @main(%x: tensor<1024xf32>, %given: tensor<1000x1024xf32>) -> (tensor<1000x1024xf32>, tensor<1000x1024xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<1000> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<1000x1024xf32>
  %loop:3 = stablehlo.while(%i = %zero, %row = %x, %stack = %empty) : tensor<i32>, tensor<1024xf32>, tensor<1000x1024xf32>
  cond {
    %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.cosine %row : tensor<1024xf32>
    %flat = stablehlo.reshape %next : (tensor<1024xf32>) -> tensor<1x1024xf32>
    %put = stablehlo.dynamic_update_slice %stack, %flat, %i, %zero : (tensor<1000x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1000x1024xf32>
    %count = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %count, %next, %put : tensor<i32>, tensor<1024xf32>, tensor<1000x1024xf32>
  }
  %double = stablehlo.add %given, %given : tensor<1000x1024xf32>
  return %loop#2, %double : tensor<1000x1024xf32>, tensor<1000x1024xf32>
}
