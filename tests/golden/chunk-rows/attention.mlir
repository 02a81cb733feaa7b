// The scores of attention, in f64: what comes of them must be whole before their gradient can begin, so that it runs in chunks of
// the same queries later on. In chunks the step gives what it gives whole, but for the order in which 512 queries are added up. With
// Echo on and off the bits are the same; at the least not much more than half of the scores, 8.39 MB whole, is held at any time.
// RUN: echo-opt %s --canonicalize --cse --dce --chunk-rows --cse --dce --mlir-pass-statistics -o %t.chunked.mlir 2>&1 | FileCheck %s --check-prefix=HEADS
// HEADS: (S) 1 heads
// RUN: FileCheck %s < %t.chunked.mlir
// RUN: echo-opt %t.chunked.mlir --chunk-rows --mlir-pass-statistics --no-output 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: (S) 0 heads
// RUN: echo-run %s --device=interpreter --outputs=%t.whole.npz --quiet
// RUN: echo-run %t.chunked.mlir --device=interpreter --expect=%t.whole.npz --rtol=1e-10 --atol=1e-11 --quiet
// RUN: echo-run %s --expect=%t.whole.npz --rtol=1e-10 --atol=1e-11 --outputs=%t.off.npz --quiet
// RUN: echo-run %s --echo=budget=min --threads=1 --expect=%t.off.npz --rtol=0 --atol=0 | FileCheck %s --check-prefix=LEAST
// RUN: echo-run %s --echo=overhead=1000% --threads=2 --expect=%t.off.npz --rtol=0 --atol=0 --quiet
// LEAST: temporary {{[0-4]\.[0-9]+}} MB

// The same with two queries more.
// RUN: sed -e 's/512/514/g' %s > %t.odd.mlir
// RUN: echo-opt %t.odd.mlir --canonicalize --cse --dce --chunk-rows --mlir-pass-statistics -o %t.odd.chunked.mlir 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: echo-run %t.odd.mlir --device=interpreter --outputs=%t.odd.npz --quiet
// RUN: echo-run %t.odd.chunked.mlir --device=interpreter --expect=%t.odd.npz --rtol=1e-10 --atol=1e-11 --quiet
// RUN: echo-run %t.odd.mlir --expect=%t.odd.npz --rtol=1e-10 --atol=1e-11 --echo=budget=min --quiet

// Two spans: all chunks of the attention with their part of the mask, then what depends on all of them, then those of the gradient,
// which read what the first left.
// CHECK-NOT:     2x512x1024xf64
// CHECK:         %[[Q:.*]] = stablehlo.slice %arg0 [0:2, 0:64, 0:4]
// CHECK:         stablehlo.dot_general %[[Q]], %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2] {echo.phase = "forward"} : {{.*}} -> tensor<2x64x1024xf64>
// CHECK:         %[[E:.*]] = stablehlo.exponential {{.*}} {echo.phase = "forward"} : tensor<2x64x1024xf64>
// CHECK:         stablehlo.dot_general {{.*}}, %arg2, {{.*}} {echo.phase = "forward"} {{.*}} -> tensor<2x64x4xf64>
// CHECK:         stablehlo.slice %arg0 [0:2, 448:512, 0:4]
// CHECK:         stablehlo.concatenate {{.*}} -> tensor<2x512x4xf64>
// CHECK:         %[[DO:.*]] = stablehlo.multiply {{.*}} {echo.phase = "backward"} : tensor<2x512x4xf64>
// CHECK:         stablehlo.slice %[[DO]] [0:2, 0:64, 0:4]
// CHECK:         stablehlo.multiply {{.*}}, %[[E]] {echo.phase = "backward"} : tensor<2x64x1024xf64>
// CHECK:         stablehlo.add {{.*}} : tensor<2x1024x4xf64>
// CHECK-NOT:     2x512x1024xf64
!scores = tensor<2x512x1024xf64>
!rows = tensor<2x512xf64>
!queries = tensor<2x512x4xf64>
!keys = tensor<2x1024x4xf64>

func.func @main(%q: !queries, %k: !keys, %v: !keys) -> (tensor<f64>, !queries, !keys, !keys) {
  %zero = stablehlo.constant {echo.phase = "forward"} dense<0.0> : tensor<f64>
  %least = stablehlo.constant {echo.phase = "forward"} dense<0xFFF0000000000000> : tensor<f64>
  %far = stablehlo.constant {echo.phase = "forward"} dense<-1.0e9> : !scores
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] {echo.phase = "forward"} : (!queries, !keys) -> !scores
  %query = stablehlo.iota dim = 1 {echo.phase = "forward"} : tensor<2x512x1024xi32>
  %key = stablehlo.iota dim = 2 {echo.phase = "forward"} : tensor<2x512x1024xi32>
  %is_before = stablehlo.compare GE, %query, %key {echo.phase = "forward"} : (tensor<2x512x1024xi32>, tensor<2x512x1024xi32>) -> tensor<2x512x1024xi1>
  %masked = stablehlo.select %is_before, %scores, %far {echo.phase = "forward"} : tensor<2x512x1024xi1>, !scores
  %max = stablehlo.reduce(%masked init: %least) applies stablehlo.maximum across dimensions = [2] {echo.phase = "forward"} : (!scores, tensor<f64>) -> !rows
  %max_rows = stablehlo.broadcast_in_dim %max, dims = [0, 1] {echo.phase = "forward"} : (!rows) -> !scores
  %shifted = stablehlo.subtract %masked, %max_rows {echo.phase = "forward"} : !scores
  %e = stablehlo.exponential %shifted {echo.phase = "forward"} : !scores
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] {echo.phase = "forward"} : (!scores, tensor<f64>) -> !rows
  %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0, 1] {echo.phase = "forward"} : (!rows) -> !scores
  %p = stablehlo.divide %e, %sum_rows {echo.phase = "forward"} : !scores
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] {echo.phase = "forward"} : (!scores, !keys) -> !queries
  %t = stablehlo.tanh %o {echo.phase = "forward"} : !queries
  %square = stablehlo.multiply %t, %t {echo.phase = "forward"} : !queries
  %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] {echo.phase = "forward"} : (!queries, tensor<f64>) -> tensor<f64>

  %one = stablehlo.constant {echo.phase = "backward"} dense<1.0> : !queries
  %dt = stablehlo.subtract %one, %square {echo.phase = "backward"} : !queries
  %twice = stablehlo.add %t, %t {echo.phase = "backward"} : !queries
  %do = stablehlo.multiply %twice, %dt {echo.phase = "backward"} : !queries
  %dp = stablehlo.dot_general %do, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] {echo.phase = "backward"} : (!queries, !keys) -> !scores
  %dv = stablehlo.dot_general %p, %do, batching_dims = [0] x [0], contracting_dims = [1] x [1] {echo.phase = "backward"} : (!scores, !queries) -> !keys
  %part = stablehlo.divide %dp, %sum_rows {echo.phase = "backward"} : !scores
  %dp_p = stablehlo.multiply %dp, %p {echo.phase = "backward"} : !scores
  %inner = stablehlo.reduce(%dp_p init: %zero) applies stablehlo.add across dimensions = [2] {echo.phase = "backward"} : (!scores, tensor<f64>) -> !rows
  %mean = stablehlo.divide %inner, %sum {echo.phase = "backward"} : !rows
  %mean_rows = stablehlo.broadcast_in_dim %mean, dims = [0, 1] {echo.phase = "backward"} : (!rows) -> !scores
  %difference = stablehlo.subtract %part, %mean_rows {echo.phase = "backward"} : !scores
  %ds = stablehlo.multiply %difference, %e {echo.phase = "backward"} : !scores
  %none = stablehlo.constant {echo.phase = "backward"} dense<0.0> : !scores
  %ds_masked = stablehlo.select %is_before, %ds, %none {echo.phase = "backward"} : tensor<2x512x1024xi1>, !scores
  %dq = stablehlo.dot_general %ds_masked, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] {echo.phase = "backward"} : (!scores, !keys) -> !queries
  %dk = stablehlo.dot_general %ds_masked, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] {echo.phase = "backward"} : (!scores, !queries) -> !keys
  return %loss, %dq, %dk, %dv : tensor<f64>, !queries, !keys, !keys
}
