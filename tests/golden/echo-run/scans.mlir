// Running sums, their gradients and a long window: the order is the op's. In one pass or in three phases, as the device model has it, on
// any number of threads, with Echo on and off, the bits are the same.
// RUN: mkdir -p %t && printf 'name = eager\nlaunch_ns = 10\n' > %t/eager.device && printf 'name = slow\nlaunch_ns = 1e9\n' > %t/slow.device
// RUN: echo-opt %s --to=planned -o %t/planned.mlir
// RUN: echo-opt %t/planned.mlir --to=loops --device-model=%t/eager.device -o %t/eager.mlir
// RUN: echo-opt %t/planned.mlir --to=loops --device-model=%t/slow.device -o %t/slow.mlir
// RUN: FileCheck %s --check-prefix=PHASES < %t/eager.mlir
// RUN: FileCheck %s --check-prefix=PASS < %t/slow.mlir
// RUN: echo-run %t/planned.mlir --no-cache --threads=1 --outputs=%t/one.npz --quiet
// RUN: echo-run %t/planned.mlir --no-cache --threads=2 --expect=%t/one.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/eager.mlir --no-cache --threads=7 --expect=%t/one.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/slow.mlir --no-cache --threads=7 --expect=%t/one.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --no-cache --echo=budget=min --threads=2 --expect=%t/one.npz --rtol=0 --atol=0 --quiet

// Of 30,000 terms below 1, partial sums of at most some hundreds have errors of some 2^-24 of that a block: the interpreter's are exact.
// RUN: echo-run %s --device=interpreter --expect=%t/one.npz --rtol=1e-4 --atol=2e-3 --quiet

// PHASES-LABEL: func.func @window_0
// PHASES-COUNT-3: scf.parallel
// PASS-LABEL: func.func @window_0
// PASS: scf.parallel
// PASS-NOT: scf.parallel
// PASS: return

func.func @main(%x: tensor<30000xf32>, %rows: tensor<40x300x3xf32>) -> (tensor<f32>, tensor<30000xf32>, tensor<40x300x3xf32>, tensor<29901xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<1.0e-6> : tensor<30000xf32>
  %one = stablehlo.constant dense<1.0> : tensor<30000xf32>
  %t = stablehlo.tanh %x : tensor<30000xf32>
  %sums = "stablehlo.reduce_window"(%t, %zero) <{window_dimensions = array<i64: 30000>, padding = dense<[[29999, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<30000xf32>, tensor<f32>) -> tensor<30000xf32>
  %squares = stablehlo.multiply %sums, %sums : tensor<30000xf32>
  %loss = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<30000xf32>, tensor<f32>) -> tensor<f32>
  %scaled = stablehlo.multiply %sums, %rate : tensor<30000xf32>
  %back = "stablehlo.reduce_window"(%scaled, %zero) <{window_dimensions = array<i64: 30000>, padding = dense<[[0, 29999]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<30000xf32>, tensor<f32>) -> tensor<30000xf32>
  %t2 = stablehlo.multiply %t, %t : tensor<30000xf32>
  %slope = stablehlo.subtract %one, %t2 : tensor<30000xf32>
  %gradient = stablehlo.multiply %back, %slope : tensor<30000xf32>
  %columns = "stablehlo.reduce_window"(%rows, %zero) <{window_dimensions = array<i64: 1, 300, 1>, padding = dense<[[0, 0], [299, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<40x300x3xf32>, tensor<f32>) -> tensor<40x300x3xf32>
  %slid = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 100>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<30000xf32>, tensor<f32>) -> tensor<29901xf32>
  return %loss, %gradient, %columns, %slid : tensor<f32>, tensor<30000xf32>, tensor<40x300x3xf32>, tensor<29901xf32>
}
