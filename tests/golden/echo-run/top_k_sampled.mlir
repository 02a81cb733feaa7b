// top_k of more than 64 places of a long row begins with a bound from a sample, each eighth element here (lowering/kernels/first_places.c):
// rows whose sample is like the rest; has what comes first alone, so that nothing else comes before the bound; has none of it, so that
// everything does; is all alike. The same values and places as a whole sort gives, whose other places are read here, too.
// RUN: echo-run --check --no-cache --quiet %s
// RUN: echo-run --check --no-cache --quiet --threads=1 %s

func.func @alike() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<7919> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<1009> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 100) : tensor<2x2048xf32> -> (tensor<2x100xf32>, tensor<2x100xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:100] : (tensor<2x2048xf32>) -> tensor<2x100xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:100] : (tensor<2x2048xi32>) -> tensor<2x100xi32>
  check.expect_eq %v, %y : tensor<2x100xf32>
  check.expect_eq %j, %z : tensor<2x100xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @first_alone() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<7919> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<1009> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<5000> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 100) : tensor<2x2048xf32> -> (tensor<2x100xf32>, tensor<2x100xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:100] : (tensor<2x2048xf32>) -> tensor<2x100xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:100] : (tensor<2x2048xi32>) -> tensor<2x100xi32>
  check.expect_eq %v, %y : tensor<2x100xf32>
  check.expect_eq %j, %z : tensor<2x100xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @first_alone_and_more() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<7919> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<1009> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<5000> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 300) : tensor<2x2048xf32> -> (tensor<2x300xf32>, tensor<2x300xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:300] : (tensor<2x2048xf32>) -> tensor<2x300xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:300] : (tensor<2x2048xi32>) -> tensor<2x300xi32>
  check.expect_eq %v, %y : tensor<2x300xf32>
  check.expect_eq %j, %z : tensor<2x300xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @without_first() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<7919> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<1009> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<-5000> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 100) : tensor<2x2048xf32> -> (tensor<2x100xf32>, tensor<2x100xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:100] : (tensor<2x2048xf32>) -> tensor<2x100xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:100] : (tensor<2x2048xi32>) -> tensor<2x100xi32>
  check.expect_eq %v, %y : tensor<2x100xf32>
  check.expect_eq %j, %z : tensor<2x100xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @ones() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<7> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 65) : tensor<2x2048xf32> -> (tensor<2x65xf32>, tensor<2x65xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:65] : (tensor<2x2048xf32>) -> tensor<2x65xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:65] : (tensor<2x2048xi32>) -> tensor<2x65xi32>
  check.expect_eq %v, %y : tensor<2x65xf32>
  check.expect_eq %j, %z : tensor<2x65xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @ascending() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<1> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<100000> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 70) : tensor<2x2048xf32> -> (tensor<2x70xf32>, tensor<2x70xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:70] : (tensor<2x2048xf32>) -> tensor<2x70xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:70] : (tensor<2x2048xi32>) -> tensor<2x70xi32>
  check.expect_eq %v, %y : tensor<2x70xf32>
  check.expect_eq %j, %z : tensor<2x70xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @descending() {
  %i = stablehlo.iota dim = 1 : tensor<2x2048xi32>
  %r = stablehlo.iota dim = 0 : tensor<2x2048xi32>
  %n = stablehlo.add %i, %r : tensor<2x2048xi32>
  %p = stablehlo.constant dense<-1> : tensor<2x2048xi32>
  %q = stablehlo.constant dense<100000> : tensor<2x2048xi32>
  %u = stablehlo.multiply %n, %p : tensor<2x2048xi32>
  %m = stablehlo.remainder %u, %q : tensor<2x2048xi32>
  %eight = stablehlo.constant dense<8> : tensor<2x2048xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %e = stablehlo.remainder %i, %eight : tensor<2x2048xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %more = stablehlo.constant dense<0> : tensor<2x2048xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<2x2048xi1>, tensor<2x2048xi32>
  %w = stablehlo.add %m, %o : tensor<2x2048xi32>
  %x = stablehlo.convert %w : (tensor<2x2048xi32>) -> tensor<2x2048xf32>
  %v, %j = chlo.top_k(%x, k = 70) : tensor<2x2048xf32> -> (tensor<2x70xf32>, tensor<2x70xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x2048xf32>, tensor<2x2048xi32>) -> (tensor<2x2048xf32>, tensor<2x2048xi32>)
  %y = stablehlo.slice %s#0 [0:2, 0:70] : (tensor<2x2048xf32>) -> tensor<2x70xf32>
  %z = stablehlo.slice %s#1 [0:2, 0:70] : (tensor<2x2048xi32>) -> tensor<2x70xi32>
  check.expect_eq %v, %y : tensor<2x70xf32>
  check.expect_eq %j, %z : tensor<2x70xi32>
  check.expect_eq %s#0, %s#0 : tensor<2x2048xf32>
  func.return
}

func.func @no_whole_block() {
  %i = stablehlo.iota dim = 1 : tensor<3x2051xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x2051xi32>
  %n = stablehlo.add %i, %r : tensor<3x2051xi32>
  %p = stablehlo.constant dense<7919> : tensor<3x2051xi32>
  %q = stablehlo.constant dense<101> : tensor<3x2051xi32>
  %u = stablehlo.multiply %n, %p : tensor<3x2051xi32>
  %m = stablehlo.remainder %u, %q : tensor<3x2051xi32>
  %eight = stablehlo.constant dense<8> : tensor<3x2051xi32>
  %zero = stablehlo.constant dense<0> : tensor<3x2051xi32>
  %e = stablehlo.remainder %i, %eight : tensor<3x2051xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<3x2051xi32>, tensor<3x2051xi32>) -> tensor<3x2051xi1>
  %more = stablehlo.constant dense<0> : tensor<3x2051xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<3x2051xi1>, tensor<3x2051xi32>
  %w = stablehlo.add %m, %o : tensor<3x2051xi32>
  %x = stablehlo.convert %w : (tensor<3x2051xi32>) -> tensor<3x2051xf32>
  %v, %j = chlo.top_k(%x, k = 129) : tensor<3x2051xf32> -> (tensor<3x129xf32>, tensor<3x129xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<3x2051xf32>, tensor<3x2051xi32>) -> (tensor<3x2051xf32>, tensor<3x2051xi32>)
  %y = stablehlo.slice %s#0 [0:3, 0:129] : (tensor<3x2051xf32>) -> tensor<3x129xf32>
  %z = stablehlo.slice %s#1 [0:3, 0:129] : (tensor<3x2051xi32>) -> tensor<3x129xi32>
  check.expect_eq %v, %y : tensor<3x129xf32>
  check.expect_eq %j, %z : tensor<3x129xi32>
  check.expect_eq %s#0, %s#0 : tensor<3x2051xf32>
  func.return
}

func.func @long() {
  %i = stablehlo.iota dim = 1 : tensor<1x20000xi32>
  %r = stablehlo.iota dim = 0 : tensor<1x20000xi32>
  %n = stablehlo.add %i, %r : tensor<1x20000xi32>
  %p = stablehlo.constant dense<7919> : tensor<1x20000xi32>
  %q = stablehlo.constant dense<19997> : tensor<1x20000xi32>
  %u = stablehlo.multiply %n, %p : tensor<1x20000xi32>
  %m = stablehlo.remainder %u, %q : tensor<1x20000xi32>
  %eight = stablehlo.constant dense<8> : tensor<1x20000xi32>
  %zero = stablehlo.constant dense<0> : tensor<1x20000xi32>
  %e = stablehlo.remainder %i, %eight : tensor<1x20000xi32>
  %is = stablehlo.compare EQ, %e, %zero : (tensor<1x20000xi32>, tensor<1x20000xi32>) -> tensor<1x20000xi1>
  %more = stablehlo.constant dense<0> : tensor<1x20000xi32>
  %o = stablehlo.select %is, %more, %zero : tensor<1x20000xi1>, tensor<1x20000xi32>
  %w = stablehlo.add %m, %o : tensor<1x20000xi32>
  %x = stablehlo.convert %w : (tensor<1x20000xi32>) -> tensor<1x20000xf32>
  %v, %j = chlo.top_k(%x, k = 500) : tensor<1x20000xf32> -> (tensor<1x500xf32>, tensor<1x500xi32>)
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<1x20000xf32>, tensor<1x20000xi32>) -> (tensor<1x20000xf32>, tensor<1x20000xi32>)
  %y = stablehlo.slice %s#0 [0:1, 0:500] : (tensor<1x20000xf32>) -> tensor<1x500xf32>
  %z = stablehlo.slice %s#1 [0:1, 0:500] : (tensor<1x20000xi32>) -> tensor<1x500xi32>
  check.expect_eq %v, %y : tensor<1x500xf32>
  check.expect_eq %j, %z : tensor<1x500xi32>
  check.expect_eq %s#0, %s#0 : tensor<1x20000xf32>
  func.return
}
