// Layers of attention in a loop, as a scan over them is exported: the exponentials and the probabilities of each layer are stacked for
// the loop of the gradient. Both loops run in chunks of the same heads, and a stack of all heads becomes one for each chunk, so that
// nothing has the scores of a layer, 8.39 MB, whole; at the least none is stacked. Nor is the mask, a number throughout that the loop
// carries round: it is the number. Bits are the same with Echo on and off.
// RUN: echo-opt %s --canonicalize --cse --dce --chunk-rows --cse --dce --mlir-pass-statistics -o %t.chunked.mlir 2>&1 | FileCheck %s --check-prefix=HEADS
// HEADS: (S) 2 heads
// RUN: FileCheck %s < %t.chunked.mlir
// RUN: echo-opt %t.chunked.mlir --chunk-rows --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: (S) 0 heads
// RUN: echo-run %s --device=interpreter --outputs=%t.whole.npz --quiet
// RUN: echo-run %t.chunked.mlir --device=interpreter --expect=%t.whole.npz --rtol=1e-12 --atol=1e-12 --quiet
// RUN: echo-run %s --expect=%t.whole.npz --rtol=1e-10 --atol=1e-11 --outputs=%t.off.npz --quiet
// RUN: echo-run %s --echo=budget=min --threads=1 --expect=%t.off.npz --rtol=0 --atol=0 | FileCheck %s --check-prefix=LEAST
// RUN: echo-run %s --echo=overhead=1000% --threads=2 --expect=%t.off.npz --rtol=0 --atol=0 --quiet
// LEAST: temporary {{[0-8]\.[0-9]+}} MB

// The op that reads the probabilities stands before the one that makes their gradient: the same.
// RUN: sed -e '/%%dv = /d' -e 's/^ *%%dp = .*/    %%dv = stablehlo.dot_general %%p, %%g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (!scores, !heads) -> !heads\n&/' %s > %t.early.mlir
// RUN: echo-opt %t.early.mlir --canonicalize --cse --dce --chunk-rows --cse --dce --mlir-pass-statistics -o %t.early.chunked.mlir 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: FileCheck %s < %t.early.chunked.mlir
// RUN: echo-run %t.early.mlir --expect=%t.off.npz --rtol=0 --atol=0 --quiet

// Where the gradient reads the probabilities whole, they are stacked whole: no part of the forward loop runs in chunks.
// RUN: sed -e 's/^ *%%dv = .*/    %%flat = stablehlo.reverse %%p, dims = [0] : !scores\n    %%dv = stablehlo.dot_general %%flat, %%g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (!scores, !heads) -> !heads/' %s > %t.apart.mlir
// RUN: echo-opt %t.apart.mlir --canonicalize --cse --dce --chunk-rows --cse --dce --mlir-pass-statistics -o %t.apart.chunked.mlir 2>&1 | FileCheck %s --check-prefix=APART
// APART: (S) 0 heads
// RUN: echo-run %t.apart.mlir --outputs=%t.apart.npz --quiet
// RUN: echo-run %t.apart.mlir --expect=%t.apart.npz --rtol=0 --atol=0 --echo=budget=min --quiet

// CHECK-NOT:     4x512x512xf64
// CHECK:         stablehlo.while({{.*}} tensor<2x1x1x512x512xf64>
// CHECK:         stablehlo.exponential {{.*}} : tensor<1x512x512xf64>
// CHECK:         stablehlo.dynamic_update_slice {{.*}} : (tensor<2x1x1x512x512xf64>
// CHECK:         stablehlo.while({{.*}} tensor<2x1x1x512x512xf64>
// CHECK:         stablehlo.dynamic_slice {{.*}} sizes = [1, 1, 1, 512, 512] : (tensor<2x1x1x512x512xf64>
// CHECK-NOT:     4x512x512xf64
!scores = tensor<4x512x512xf64>
!rows = tensor<4x512xf64>
!heads = tensor<4x512x8xf64>
!stack = tensor<2x4x512x512xf64>
!weights = tensor<2x4x512x8xf64>

func.func @main(%x: !heads, %w: !weights) -> (!heads, !weights) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %mask = stablehlo.constant dense<-0.25> : !scores
  %no_scores = stablehlo.constant dense<0.0> : !stack
  %no_heads = stablehlo.constant dense<0.0> : !weights
  %no_rows = stablehlo.constant dense<0.0> : tensor<2x4x512xf64>
  %all:8 = stablehlo.while(%i = %c0, %h = %x, %ws = %w, %m = %mask, %hs = %no_heads, %es = %no_scores, %ps = %no_scores, %ns = %no_rows)
      : tensor<i32>, !heads, !weights, !scores, !weights, !stack, !stack, tensor<2x4x512xf64>
  cond {
    %n_layers = stablehlo.constant dense<2> : tensor<i32>
    %goes_on = stablehlo.compare LT, %i, %n_layers, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f64>
    %ws_i = stablehlo.dynamic_slice %ws, %i, %zero, %zero, %zero, sizes = [1, 4, 512, 8] : (!weights, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512x8xf64>
    %k = stablehlo.reshape %ws_i : (tensor<1x4x512x8xf64>) -> !heads
    %s = stablehlo.dot_general %h, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (!heads, !heads) -> !scores
    %t = stablehlo.add %s, %m : !scores
    %e = stablehlo.exponential %t : !scores
    %n = stablehlo.reduce(%e init: %none) applies stablehlo.add across dimensions = [2] : (!scores, tensor<f64>) -> !rows
    %ns_all = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (!rows) -> !scores
    %p = stablehlo.divide %e, %ns_all : !scores
    %o = stablehlo.dot_general %p, %h, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (!scores, !heads) -> !heads
    %h_1 = stablehlo.reshape %h : (!heads) -> tensor<1x4x512x8xf64>
    %e_1 = stablehlo.reshape %e : (!scores) -> tensor<1x4x512x512xf64>
    %p_1 = stablehlo.broadcast_in_dim %p, dims = [1, 2, 3] : (!scores) -> tensor<1x4x512x512xf64>
    %n_1 = stablehlo.reshape %n : (!rows) -> tensor<1x4x512xf64>
    %hs_2 = stablehlo.dynamic_update_slice %hs, %h_1, %i, %zero, %zero, %zero : (!weights, tensor<1x4x512x8xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> !weights
    %es_2 = stablehlo.dynamic_update_slice %es, %e_1, %i, %zero, %zero, %zero : (!stack, tensor<1x4x512x512xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> !stack
    %ps_2 = stablehlo.dynamic_update_slice %ps, %p_1, %i, %zero, %zero, %zero : (!stack, tensor<1x4x512x512xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> !stack
    %ns_2 = stablehlo.dynamic_update_slice %ns, %n_1, %i, %zero, %zero : (tensor<2x4x512xf64>, tensor<1x4x512xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x512xf64>
    %h_2 = stablehlo.add %h, %o : !heads
    %i_2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i_2, %h_2, %ws, %m, %hs_2, %es_2, %ps_2, %ns_2 : tensor<i32>, !heads, !weights, !scores, !weights, !stack, !stack, tensor<2x4x512xf64>
  }
  %back:7 = stablehlo.while(%j = %c0, %g = %all#1, %ws = %w, %hs = %all#4, %es = %all#5, %ns = %all#7, %dws = %no_heads)
      : tensor<i32>, !heads, !weights, !weights, !stack, tensor<2x4x512xf64>, !weights
  cond {
    %n_layers = stablehlo.constant dense<2> : tensor<i32>
    %goes_on = stablehlo.compare LT, %j, %n_layers, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f64>
    %i = stablehlo.subtract %last, %j : tensor<i32>
    %ws_i = stablehlo.dynamic_slice %ws, %i, %zero, %zero, %zero, sizes = [1, 4, 512, 8] : (!weights, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512x8xf64>
    %hs_i = stablehlo.dynamic_slice %hs, %i, %zero, %zero, %zero, sizes = [1, 4, 512, 8] : (!weights, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512x8xf64>
    %es_i = stablehlo.dynamic_slice %es, %i, %zero, %zero, %zero, sizes = [1, 4, 512, 512] : (!stack, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512x512xf64>
    %ps_i = stablehlo.dynamic_slice %all#6, %i, %zero, %zero, %zero, sizes = [1, 4, 512, 512] : (!stack, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512x512xf64>
    %ns_i = stablehlo.dynamic_slice %ns, %i, %zero, %zero, sizes = [1, 4, 512] : (tensor<2x4x512xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x512xf64>
    %k = stablehlo.reshape %ws_i : (tensor<1x4x512x8xf64>) -> !heads
    %h = stablehlo.reshape %hs_i : (tensor<1x4x512x8xf64>) -> !heads
    %e = stablehlo.reshape %es_i : (tensor<1x4x512x512xf64>) -> !scores
    %p = stablehlo.reshape %ps_i : (tensor<1x4x512x512xf64>) -> !scores
    %n = stablehlo.reshape %ns_i : (tensor<1x4x512xf64>) -> !rows
    %dp = stablehlo.dot_general %g, %h, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (!heads, !heads) -> !scores
    %dv = stablehlo.dot_general %p, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (!scores, !heads) -> !heads
    %ns_all = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (!rows) -> !scores
    %a = stablehlo.divide %dp, %ns_all : !scores
    %b = stablehlo.multiply %a, %e : !scores
    %r = stablehlo.reduce(%b init: %none) applies stablehlo.add across dimensions = [2] : (!scores, tensor<f64>) -> !rows
    %rs = stablehlo.divide %r, %n : !rows
    %rs_all = stablehlo.broadcast_in_dim %rs, dims = [0, 1] : (!rows) -> !scores
    %c = stablehlo.multiply %rs_all, %e : !scores
    %ds = stablehlo.subtract %b, %c : !scores
    %dh = stablehlo.dot_general %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (!scores, !heads) -> !heads
    %dk = stablehlo.dot_general %ds, %h, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (!scores, !heads) -> !heads
    %dk_1 = stablehlo.reshape %dk : (!heads) -> tensor<1x4x512x8xf64>
    %dws_2 = stablehlo.dynamic_update_slice %dws, %dk_1, %i, %zero, %zero, %zero : (!weights, tensor<1x4x512x8xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> !weights
    %g_1 = stablehlo.add %g, %dh : !heads
    %g_2 = stablehlo.add %g_1, %dv : !heads
    %j_2 = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %j_2, %g_2, %ws, %hs, %es, %ns, %dws_2 : tensor<i32>, !heads, !weights, !weights, !stack, tensor<2x4x512xf64>, !weights
  }
  return %back#1, %back#6 : !heads, !weights
}
