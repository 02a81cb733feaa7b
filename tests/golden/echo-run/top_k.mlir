// Of top_k the row is not sorted: the k first are held in order, or, of more than 64, what may be among them is gathered and sorted when there is much of it (lowering/kernels/lower_sort.c). The same values and places as a whole sort, which is read beyond them here, gives: ties in order, ascending rows, rows of ones, ends that are no whole block.
// RUN: echo-run --check --no-cache --quiet %s
// RUN: echo-run --check --no-cache --quiet --threads=1 %s
// RUN: echo-opt %s --pass-pipeline="builtin.module(chlo-to-stablehlo,widen-sorts)" | FileCheck %s
// RUN: echo-opt %s --pass-pipeline="builtin.module(chlo-to-stablehlo,widen-sorts,widen-sorts)" | FileCheck %s
// CHECK-LABEL: func.func @ties
// CHECK:         kernel.first = 3 : i64
// CHECK-NOT:     kernel.first
// CHECK-LABEL: func.func @held
// CHECK:         kernel.first = 64 : i64
// CHECK-LABEL: func.func @gathered
// CHECK:         kernel.first = 65 : i64
// CHECK-LABEL: func.func @ascending(
// CHECK:         kernel.first = 1 : i64
// CHECK-LABEL: func.func @short
// CHECK-NOT:     kernel.first

func.func @ties() {
  %i = stablehlo.iota dim = 1 : tensor<3x1000xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x1000xi32>
  %n = stablehlo.add %i, %r : tensor<3x1000xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x1000xi32>
  %q = stablehlo.constant dense<101> : tensor<3x1000xi32>
  %u = stablehlo.multiply %n, %p : tensor<3x1000xi32>
  %m = stablehlo.remainder %u, %q : tensor<3x1000xi32>
  %x = stablehlo.convert %m : (tensor<3x1000xi32>) -> tensor<3x1000xf32>
  %v, %w = chlo.top_k(%x, k = 3) : tensor<3x1000xf32> -> (tensor<3x3xf32>, tensor<3x3xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<3x1000xf32>, tensor<3x1000xi32>) -> (tensor<3x1000xf32>, tensor<3x1000xi32>)
  %y = stablehlo.slice %s#0 [0:3, 0:3] : (tensor<3x1000xf32>) -> tensor<3x3xf32>
  %z = stablehlo.slice %s#1 [0:3, 0:3] : (tensor<3x1000xi32>) -> tensor<3x3xi32>
  check.expect_eq %v, %y : tensor<3x3xf32>
  check.expect_eq %w, %z : tensor<3x3xi32>
  check.expect_eq %s#0, %s#0 : tensor<3x1000xf32>
  func.return
}

func.func @held() {
  %i = stablehlo.iota dim = 1 : tensor<3x1000xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x1000xi32>
  %n = stablehlo.add %i, %r : tensor<3x1000xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x1000xi32>
  %q = stablehlo.constant dense<101> : tensor<3x1000xi32>
  %u = stablehlo.multiply %n, %p : tensor<3x1000xi32>
  %m = stablehlo.remainder %u, %q : tensor<3x1000xi32>
  %x = stablehlo.convert %m : (tensor<3x1000xi32>) -> tensor<3x1000xf32>
  %v, %w = chlo.top_k(%x, k = 64) : tensor<3x1000xf32> -> (tensor<3x64xf32>, tensor<3x64xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<3x1000xf32>, tensor<3x1000xi32>) -> (tensor<3x1000xf32>, tensor<3x1000xi32>)
  %y = stablehlo.slice %s#0 [0:3, 0:64] : (tensor<3x1000xf32>) -> tensor<3x64xf32>
  %z = stablehlo.slice %s#1 [0:3, 0:64] : (tensor<3x1000xi32>) -> tensor<3x64xi32>
  check.expect_eq %v, %y : tensor<3x64xf32>
  check.expect_eq %w, %z : tensor<3x64xi32>
  check.expect_eq %s#0, %s#0 : tensor<3x1000xf32>
  func.return
}

func.func @gathered() {
  %i = stablehlo.iota dim = 1 : tensor<3x1000xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x1000xi32>
  %n = stablehlo.add %i, %r : tensor<3x1000xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x1000xi32>
  %q = stablehlo.constant dense<101> : tensor<3x1000xi32>
  %u = stablehlo.multiply %n, %p : tensor<3x1000xi32>
  %m = stablehlo.remainder %u, %q : tensor<3x1000xi32>
  %x = stablehlo.convert %m : (tensor<3x1000xi32>) -> tensor<3x1000xf32>
  %v, %w = chlo.top_k(%x, k = 65) : tensor<3x1000xf32> -> (tensor<3x65xf32>, tensor<3x65xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<3x1000xf32>, tensor<3x1000xi32>) -> (tensor<3x1000xf32>, tensor<3x1000xi32>)
  %y = stablehlo.slice %s#0 [0:3, 0:65] : (tensor<3x1000xf32>) -> tensor<3x65xf32>
  %z = stablehlo.slice %s#1 [0:3, 0:65] : (tensor<3x1000xi32>) -> tensor<3x65xi32>
  check.expect_eq %v, %y : tensor<3x65xf32>
  check.expect_eq %w, %z : tensor<3x65xi32>
  check.expect_eq %s#0, %s#0 : tensor<3x1000xf32>
  func.return
}

func.func @ascending() {
  %i = stablehlo.iota dim = 1 : tensor<2x777xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x777xi32>
  %n = stablehlo.add %i, %r : tensor<2x777xi32>
  %p = stablehlo.constant dense<1> : tensor<2x777xi32>
  %q = stablehlo.constant dense<100000> : tensor<2x777xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x777xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x777xi32>
  %x = stablehlo.convert %m : (tensor<2x777xi32>) -> tensor<2x777xf32>
  %v, %w = chlo.top_k(%x, k = 1) : tensor<2x777xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x777xf32>, tensor<2x777xi32>) -> (tensor<2x777xf32>, tensor<2x777xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:1] : (tensor<2x777xf32>) -> tensor<2x1xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:1] : (tensor<2x777xi32>) -> tensor<2x1xi32>
  check.expect_eq %v, %y : tensor<2x1xf32>
  check.expect_eq %w, %z : tensor<2x1xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x777xf32>
  func.return
}

func.func @descending() {
  %i = stablehlo.iota dim = 1 : tensor<2x777xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x777xi32>
  %n = stablehlo.add %i, %r : tensor<2x777xi32>
  %p = stablehlo.constant dense<-1> : tensor<2x777xi32>
  %q = stablehlo.constant dense<100000> : tensor<2x777xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x777xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x777xi32>
  %x = stablehlo.convert %m : (tensor<2x777xi32>) -> tensor<2x777xf32>
  %v, %w = chlo.top_k(%x, k = 40) : tensor<2x777xf32> -> (tensor<2x40xf32>, tensor<2x40xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x777xf32>, tensor<2x777xi32>) -> (tensor<2x777xf32>, tensor<2x777xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:40] : (tensor<2x777xf32>) -> tensor<2x40xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:40] : (tensor<2x777xi32>) -> tensor<2x40xi32>
  check.expect_eq %v, %y : tensor<2x40xf32>
  check.expect_eq %w, %z : tensor<2x40xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x777xf32>
  func.return
}

func.func @ascending_many() {
  %i = stablehlo.iota dim = 1 : tensor<2x400xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x400xi32>
  %n = stablehlo.add %i, %r : tensor<2x400xi32>
  %p = stablehlo.constant dense<1> : tensor<2x400xi32>
  %q = stablehlo.constant dense<100000> : tensor<2x400xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x400xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x400xi32>
  %x = stablehlo.convert %m : (tensor<2x400xi32>) -> tensor<2x400xf32>
  %v, %w = chlo.top_k(%x, k = 70) : tensor<2x400xf32> -> (tensor<2x70xf32>, tensor<2x70xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x400xf32>, tensor<2x400xi32>) -> (tensor<2x400xf32>, tensor<2x400xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:70] : (tensor<2x400xf32>) -> tensor<2x70xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:70] : (tensor<2x400xi32>) -> tensor<2x70xi32>
  check.expect_eq %v, %y : tensor<2x70xf32>
  check.expect_eq %w, %z : tensor<2x70xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x400xf32>
  func.return
}

func.func @ones() {
  %i = stablehlo.iota dim = 1 : tensor<1x500xi32>
  %r = stablehlo.iota dim = 0 : tensor<1x500xi32>
  %n = stablehlo.add %i, %r : tensor<1x500xi32>
  %p = stablehlo.constant dense<0> : tensor<1x500xi32>
  %q = stablehlo.constant dense<7> : tensor<1x500xi32>
  %u = stablehlo.multiply %n, %p : tensor<1x500xi32>
  %m = stablehlo.remainder %u, %q : tensor<1x500xi32>
  %x = stablehlo.convert %m : (tensor<1x500xi32>) -> tensor<1x500xf32>
  %v, %w = chlo.top_k(%x, k = 9) : tensor<1x500xf32> -> (tensor<1x9xf32>, tensor<1x9xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<1x500xf32>, tensor<1x500xi32>) -> (tensor<1x500xf32>, tensor<1x500xi32>)
  %y = stablehlo.slice %s#0 [0:1, 0:9] : (tensor<1x500xf32>) -> tensor<1x9xf32>
  %z = stablehlo.slice %s#1 [0:1, 0:9] : (tensor<1x500xi32>) -> tensor<1x9xi32>
  check.expect_eq %v, %y : tensor<1x9xf32>
  check.expect_eq %w, %z : tensor<1x9xi32>
  check.expect_eq %s#0, %s#0 : tensor<1x500xf32>
  func.return
}

func.func @short() {
  %i = stablehlo.iota dim = 1 : tensor<2x65xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x65xi32>
  %n = stablehlo.add %i, %r : tensor<2x65xi32>
  %p = stablehlo.constant dense<31> : tensor<2x65xi32>
  %q = stablehlo.constant dense<17> : tensor<2x65xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x65xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x65xi32>
  %x = stablehlo.convert %m : (tensor<2x65xi32>) -> tensor<2x65xf32>
  %v, %w = chlo.top_k(%x, k = 32) : tensor<2x65xf32> -> (tensor<2x32xf32>, tensor<2x32xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x65xf32>, tensor<2x65xi32>) -> (tensor<2x65xf32>, tensor<2x65xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:32] : (tensor<2x65xf32>) -> tensor<2x32xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:32] : (tensor<2x65xi32>) -> tensor<2x32xi32>
  check.expect_eq %v, %y : tensor<2x32xf32>
  check.expect_eq %w, %z : tensor<2x32xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x65xf32>
  func.return
}

