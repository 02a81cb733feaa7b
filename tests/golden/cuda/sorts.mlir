// Sorts on a GPU (lowering/kernels/gpu_sort.c): by rank, in parallel over elements. Ties stand in order, so that what goes along says whether a sort is stable.
// Several short rows in a block, a row and pieces of a long one, along a dimension that is not the last, and the first places of each.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=0 --atol=0 --echo=budget=min
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'sort']; assert len(k) == 6 and all(x['threads'] >= 128 * x['blocks'] and x['active_lanes'] > 0.8 for x in k)"
// RUN: echo-opt %s --to=step | FileCheck %s --check-prefix=HOST
// RUN: echo-opt %s --pass-pipeline="builtin.module(chlo-to-stablehlo,widen-sorts,widen-sorts{shared=true},widen-sorts{shared=true})" | FileCheck %s --check-prefix=SHARED

// HOST-COUNT-6: "stablehlo.sort"
// SHARED: "stablehlo.sort"(%{{[0-9a-z]+}}, %{{[0-9a-z]+}}) <{dimension = 1
// SHARED: "stablehlo.sort"(%[[A:[0-9a-z_]+]], %[[B:[0-9a-z_]+]], %[[A]], %[[B]]) <{dimension = 0

func.func @main() -> (tensor<3x700xi32>, tensor<3x700xi32>, tensor<2500x2xi32>, tensor<2500x2xi32>, tensor<600x5xf32>, tensor<2x20xf32>, tensor<2x20xi32>, tensor<70x2xf32>, tensor<70x2xi32>, tensor<900xf32>, tensor<900xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<3x700xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x700xi32>
  %q = stablehlo.constant dense<101> : tensor<3x700xi32>
  %iu = stablehlo.multiply %i, %p : tensor<3x700xi32>
  %x = stablehlo.remainder %iu, %q : tensor<3x700xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<3x700xi32>, tensor<3x700xi32>) -> (tensor<3x700xi32>, tensor<3x700xi32>)
  %j = stablehlo.iota dim = 0 : tensor<2500x2xi32>
  %jp = stablehlo.constant dense<7919> : tensor<2500x2xi32>
  %jq = stablehlo.constant dense<301> : tensor<2500x2xi32>
  %ju = stablehlo.multiply %j, %jp : tensor<2500x2xi32>
  %y = stablehlo.remainder %ju, %jq : tensor<2500x2xi32>
  %1:2 = "stablehlo.sort"(%y, %j) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<2500x2xi32>, tensor<2500x2xi32>) -> (tensor<2500x2xi32>, tensor<2500x2xi32>)
  %k = stablehlo.iota dim = 0 : tensor<600x5xi32>
  %kc = stablehlo.iota dim = 1 : tensor<600x5xi32>
  %kp = stablehlo.constant dense<37> : tensor<600x5xi32>
  %kq = stablehlo.constant dense<11> : tensor<600x5xi32>
  %ks = stablehlo.add %k, %kc : tensor<600x5xi32>
  %ku = stablehlo.multiply %ks, %kp : tensor<600x5xi32>
  %km = stablehlo.remainder %ku, %kq : tensor<600x5xi32>
  %z = stablehlo.convert %km : (tensor<600x5xi32>) -> tensor<600x5xf32>
  %2 = "stablehlo.sort"(%z) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<600x5xf32>) -> tensor<600x5xf32>
  %t = stablehlo.iota dim = 1 : tensor<2x5000xi32>
  %tp = stablehlo.constant dense<7919> : tensor<2x5000xi32>
  %tq = stablehlo.constant dense<401> : tensor<2x5000xi32>
  %tu = stablehlo.multiply %t, %tp : tensor<2x5000xi32>
  %tm = stablehlo.remainder %tu, %tq : tensor<2x5000xi32>
  %w = stablehlo.convert %tm : (tensor<2x5000xi32>) -> tensor<2x5000xf32>
  %v20, %i20 = chlo.top_k(%w, k = 20) : tensor<2x5000xf32> -> (tensor<2x20xf32>, tensor<2x20xi32>)
  %zr = stablehlo.slice %z [0:350, 0:5] : (tensor<600x5xf32>) -> tensor<350x5xf32>
  %zs = stablehlo.reshape %zr : (tensor<350x5xf32>) -> tensor<70x25xf32>
  %zt = stablehlo.concatenate %zs, %zs, dim = 1 : (tensor<70x25xf32>, tensor<70x25xf32>) -> tensor<70x50xf32>
  %v2, %i2 = chlo.top_k(%zt, k = 2) : tensor<70x50xf32> -> (tensor<70x2xf32>, tensor<70x2xi32>)
  %w1 = stablehlo.reshape %w : (tensor<2x5000xf32>) -> tensor<10000xf32>
  %v9, %i9 = chlo.top_k(%w1, k = 900) : tensor<10000xf32> -> (tensor<900xf32>, tensor<900xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2, %v20, %i20, %v2, %i2, %v9, %i9 : tensor<3x700xi32>, tensor<3x700xi32>, tensor<2500x2xi32>, tensor<2500x2xi32>, tensor<600x5xf32>, tensor<2x20xf32>, tensor<2x20xi32>, tensor<70x2xf32>, tensor<70x2xi32>, tensor<900xf32>, tensor<900xi32>
}
