// A loss head as JAX writes it, in f64. In chunks it gives what it gives whole, but for the order in which 32 rows and 16,384 columns
// are added up: 16,384 roundings of 2^-53 of at most some units are below 1e-11. With Echo on and off the bits are the same.
// RUN: echo-opt %s --canonicalize --cse --dce --chunk-rows --mlir-pass-statistics -o %t.chunked.mlir 2>&1 | FileCheck %s
// CHECK: (S) 1 heads
// RUN: echo-run %s --device=interpreter --outputs=%t.whole.npz --quiet
// RUN: echo-run %t.chunked.mlir --device=interpreter --expect=%t.whole.npz --rtol=1e-10 --atol=1e-11 --quiet
// RUN: echo-run %s --expect=%t.whole.npz --rtol=1e-10 --atol=1e-11 --outputs=%t.off.npz --quiet
// RUN: echo-run %s --echo=budget=min --threads=1 --expect=%t.off.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --echo=overhead=1000% --threads=2 --expect=%t.off.npz --rtol=0 --atol=0 --quiet

// The same tokens in other dimensions, some that no number of chunks divides; no op says what is forward.
// RUN: sed -e 's/16x2x/1x33x/g' -e 's/ {echo.phase = "[a-z]*"}//' %s > %t.one.mlir
// RUN: sed -e 's/16x2x/3x11x/g' -e 's/ {echo.phase = "[a-z]*"}//' %s > %t.odd.mlir
// RUN: echo-opt %t.one.mlir --canonicalize --cse --dce --chunk-rows -o %t.one.chunked.mlir
// RUN: echo-opt %t.odd.mlir --canonicalize --cse --dce --chunk-rows --mlir-pass-statistics -o %t.odd.chunked.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHUNK < %t.odd.chunked.mlir
// CHUNK: tensor<7x16384xf64>
// CHUNK: tensor<5x16384xf64>
// RUN: echo-run %t.one.mlir --device=interpreter --outputs=%t.one.npz --quiet
// RUN: echo-run %t.one.chunked.mlir --device=interpreter --expect=%t.one.npz --rtol=1e-10 --atol=1e-11 --quiet
// RUN: echo-run %t.odd.mlir --device=interpreter --outputs=%t.odd.npz --quiet
// RUN: echo-run %t.odd.chunked.mlir --device=interpreter --expect=%t.odd.npz --rtol=1e-10 --atol=1e-11 --quiet
// RUN: echo-run %t.odd.mlir --expect=%t.odd.npz --rtol=1e-10 --atol=1e-11 --outputs=%t.odd.off.npz --quiet
// RUN: echo-run %t.odd.mlir --echo=budget=min --threads=2 --expect=%t.odd.off.npz --rtol=0 --atol=0 --quiet

!logits = tensor<16x2x16384xf64>
!rows = tensor<16x2xf64>

func.func @main(%x: tensor<16x2x4xf64> {tf.aliasing_output = 1 : i32}, %w: tensor<4x16384xf64> {tf.aliasing_output = 2 : i32}, %any: tensor<16x2xi32>)
    -> (tensor<f64>, tensor<16x2x4xf64>, tensor<4x16384xf64>) {
  %least = stablehlo.constant {echo.phase = "forward"} dense<0xFFF0000000000000> : tensor<f64>
  %zero = stablehlo.constant {echo.phase = "forward"} dense<0.0> : tensor<f64>
  %last = stablehlo.constant {echo.phase = "forward"} dense<16383> : tensor<16x2xi32>
  %label = stablehlo.and %any, %last {echo.phase = "forward"} : tensor<16x2xi32>
  %h = stablehlo.tanh %x {echo.phase = "forward"} : tensor<16x2x4xf64>
  %logits = stablehlo.dot_general %h, %w, contracting_dims = [2] x [0] {echo.phase = "forward"} : (tensor<16x2x4xf64>, tensor<4x16384xf64>) -> !logits
  %max = stablehlo.reduce(%logits init: %least) applies stablehlo.maximum across dimensions = [2] {echo.phase = "forward"} : (!logits, tensor<f64>) -> !rows
  %max_rows = stablehlo.broadcast_in_dim %max, dims = [0, 1] {echo.phase = "forward"} : (!rows) -> !logits
  %shifted = stablehlo.subtract %logits, %max_rows {echo.phase = "forward"} : !logits
  %e = stablehlo.exponential %shifted {echo.phase = "forward"} : !logits
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] {echo.phase = "forward"} : (!logits, tensor<f64>) -> !rows
  %one = stablehlo.reshape %sum {echo.phase = "forward"} : (!rows) -> tensor<16x2x1xf64>
  %log = stablehlo.log %one {echo.phase = "forward"} : tensor<16x2x1xf64>
  %log_rows = stablehlo.broadcast_in_dim %log, dims = [0, 1, 2] {echo.phase = "forward"} : (tensor<16x2x1xf64>) -> !logits
  %log_softmax = stablehlo.subtract %shifted, %log_rows {echo.phase = "forward"} : !logits
  %at = stablehlo.reshape %label {echo.phase = "forward"} : (tensor<16x2xi32>) -> tensor<16x2x1x1xi32>
  %picked = "stablehlo.gather"(%log_softmax, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> {echo.phase = "forward"} : (!logits, tensor<16x2x1x1xi32>) -> tensor<16x2x1xf64>
  %total = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] {echo.phase = "forward"} : (tensor<16x2x1xf64>, tensor<f64>) -> tensor<f64>
  %minus = stablehlo.constant {echo.phase = "forward"} dense<-0.03125> : tensor<f64>
  %loss = stablehlo.multiply %total, %minus {echo.phase = "forward"} : tensor<f64>

  %zeros = stablehlo.constant {echo.phase = "backward"} dense<0.0> : !logits
  %seed = stablehlo.constant {echo.phase = "backward"} dense<-0.03125> : tensor<16x2x1xf64>
  %spread = "stablehlo.scatter"(%zeros, %at, %seed) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {echo.phase = "backward"} : (!logits, tensor<16x2x1x1xi32>, tensor<16x2x1xf64>) -> !logits
  %away = stablehlo.negate %spread {echo.phase = "backward"} : !logits
  %back = stablehlo.reduce(%away init: %zero) applies stablehlo.add across dimensions = [2] {echo.phase = "backward"} : (!logits, tensor<f64>) -> !rows
  %part = stablehlo.divide %back, %sum {echo.phase = "backward"} : !rows
  %part_rows = stablehlo.broadcast_in_dim %part, dims = [0, 1] {echo.phase = "backward"} : (!rows) -> !logits
  %scaled = stablehlo.multiply %part_rows, %e {echo.phase = "backward"} : !logits
  %d = stablehlo.add %spread, %scaled {echo.phase = "backward"} : !logits
  %dw = stablehlo.dot_general %h, %d, contracting_dims = [0, 1] x [0, 1] {echo.phase = "backward"} : (tensor<16x2x4xf64>, !logits) -> tensor<4x16384xf64>
  %dh = stablehlo.dot_general %d, %w, contracting_dims = [2] x [1] {echo.phase = "backward"} : (!logits, tensor<4x16384xf64>) -> tensor<16x2x4xf64>
  %nx = stablehlo.subtract %x, %dh {echo.phase = "update"} : tensor<16x2x4xf64>
  %nw = stablehlo.subtract %w, %dw {echo.phase = "update"} : tensor<4x16384xf64>
  return %loss, %nx, %nw : tensor<f64>, tensor<16x2x4xf64>, tensor<4x16384xf64>
}
