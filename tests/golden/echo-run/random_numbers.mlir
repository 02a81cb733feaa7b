// What stablehlo.rng draws: Philox-4x32-10 of key 0 (the seed) from counter 0 on (the first words are those of the generator's published test vectors, 6627e8d5 e169c58d bc57ac4c 9b00dbd8), each op behind the last, the same on the interpreter and in kernels.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet
// RUN: echo-run %s --check --no-cache --quiet --echo=budget=min --threads=1

// The upper 24 bits of each word; three ops, one behind the other.
func.func @uniform() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %two = stablehlo.constant dense<2> : tensor<2xi64>
  %a = stablehlo.rng %zero, %one, %four, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %b = stablehlo.rng %zero, %one, %two, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
  %c = stablehlo.rng %zero, %one, %four, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  check.expect_eq_const %a, dense<[0.39904642, 0.88052016, 0.73571277, 0.6054818]> : tensor<4xf32>
  check.expect_eq_const %b, dense<[[0.97224116, 0.36209106], [0.69393086, 0.037094057]]> : tensor<2x2xf32>
  check.expect_eq_const %c, dense<[0.019449413, 0.31944573, 0.14094657, 0.27174693]> : tensor<4xf32>
  func.return
}

// -----

// Words of 64 bits modulo the width of the interval, which may begin below zero, and of numbers without a sign.
func.func @integers() {
  %low = stablehlo.constant dense<-3> : tensor<i32>
  %high = stablehlo.constant dense<4> : tensor<i32>
  %low8 = stablehlo.constant dense<250> : tensor<ui8>
  %high_ui8 = stablehlo.constant dense<255> : tensor<ui8>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %a = stablehlo.rng %low, %high, %four, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<4xi32>
  %b = stablehlo.rng %low8, %high_ui8, %four, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<1xi64>) -> tensor<4xui8>
  check.expect_eq_const %a, dense<[-2, 0, 2, -2]> : tensor<4xi32>
  %least = stablehlo.constant dense<250> : tensor<4xui8>
  %most = stablehlo.constant dense<254> : tensor<4xui8>
  %inside = stablehlo.clamp %least, %b, %most : tensor<4xui8>
  check.expect_eq %b, %inside : tensor<4xui8>
  func.return
}

// -----

// By Box and Muller, two words a number; f64 takes words of 64 bits.
func.func @normal() {
  %mean = stablehlo.constant dense<10.0> : tensor<f32>
  %deviation = stablehlo.constant dense<2.0> : tensor<f32>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %a = stablehlo.rng %mean, %deviation, %four, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %expected = stablehlo.constant dense<[12.66985133528226, 9.346725933055843, 9.459323789939411, 11.949289246848963]> : tensor<4xf32>
  check.expect_close %a, %expected, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  func.return
}

// -----

func.func @normal_f64() {
  %mean = stablehlo.constant dense<10.0> : tensor<f64>
  %deviation = stablehlo.constant dense<2.0> : tensor<f64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %a = stablehlo.rng %mean, %deviation, %two, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[9.346725685561585, 11.949289176479052]> : tensor<2xf64>
  check.expect_close %a, %expected, max_ulp_difference = 3 : tensor<2xf64>, tensor<2xf64>
  func.return
}

// -----

// Narrow types: what is rounded up to the interval's end is its beginning.
func.func @narrow() {
  %low = stablehlo.constant dense<1.0> : tensor<bf16>
  %high = stablehlo.constant dense<2.0> : tensor<bf16>
  %shape = stablehlo.constant dense<20000> : tensor<1xi64>
  %a = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> tensor<20000xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<20000xbf16>
  %most = stablehlo.constant dense<1.9921875> : tensor<20000xbf16>
  %inside = stablehlo.clamp %one, %a, %most : tensor<20000xbf16>
  check.expect_eq %a, %inside : tensor<20000xbf16>
  func.return
}

// -----

// A number for each iteration, and for each time that a condition is asked; then what comes behind the loop: words 0 to 2 are the first
// ones of blocks 0 to 2.
func.func @loop() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %scalar = stablehlo.constant dense<> : tensor<0xi64>
  %begin = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<2> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<2xf32>
  %r:2 = stablehlo.while(%i = %begin, %all = %none) : tensor<i32>, tensor<2xf32>
    cond {
      %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %x = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
      %row = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
      %more = stablehlo.dynamic_update_slice %all, %row, %i : (tensor<2xf32>, tensor<1xf32>, tensor<i32>) -> tensor<2xf32>
      %next = stablehlo.add %i, %step : tensor<i32>
      stablehlo.return %next, %more : tensor<i32>, tensor<2xf32>
    }
  %behind = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  check.expect_eq_const %r#1, dense<[0.39904642, 0.97224116]> : tensor<2xf32>
  check.expect_eq_const %behind, dense<0.019449413> : tensor<f32>
  func.return
}

// -----

// The condition draws 0.399, 0.972: one iteration. The branch that is taken draws the third, the other one nothing.
func.func @condition_and_branches() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %scalar = stablehlo.constant dense<> : tensor<0xi64>
  %begin = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.while(%i = %begin) : tensor<i32>
    cond {
      %x = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
      %p = stablehlo.compare LT, %x, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %step : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  %taken = "stablehlo.case"(%n) ({
    stablehlo.return %zero : tensor<f32>
  }, {
    %x = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %left = "stablehlo.case"(%begin) ({
    stablehlo.return %zero : tensor<f32>
  }, {
    %x = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  check.expect_eq_const %n, dense<1> : tensor<i32>
  check.expect_eq_const %taken, dense<0.019449413> : tensor<f32>
  check.expect_eq_const %left, dense<0.0> : tensor<f32>
  func.return
}
