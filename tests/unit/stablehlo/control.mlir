// Control flow, calls, random bits, batch normalisation.

func.func private @double(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

func.func @calls() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %x = stablehlo.constant dense<3> : tensor<i32>
  %0 = call @double(%x) : (tensor<i32>) -> tensor<i32>
  %1 = call @double(%0) : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.composite "test.double" %x {decomposition = @double} : (tensor<i32>) -> tensor<i32>
  %want_0 = stablehlo.constant dense<12> : tensor<i32>
  %want_1 = stablehlo.constant dense<6> : tensor<i32>
  return %1, %want_0, %2, %want_1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

// An index out of range runs the last branch, also one below zero.
func.func @case() -> (tensor<4xi32>, tensor<4xi32>) {
  %indices = stablehlo.constant dense<[0, 1, 2, -1]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %start = stablehlo.constant dense<0> : tensor<4xi32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<4xi32>
  cond {
    %p = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %at = stablehlo.dynamic_slice %indices, %i, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %index = stablehlo.reshape %at : (tensor<1xi32>) -> tensor<i32>
    %v = "stablehlo.case"(%index) ({
      %c = stablehlo.constant dense<[100]> : tensor<1xi32>
      stablehlo.return %c : tensor<1xi32>
    }, {
      %c = stablehlo.constant dense<[200]> : tensor<1xi32>
      %d = stablehlo.add %c, %at : tensor<1xi32>
      stablehlo.return %d : tensor<1xi32>
    }) : (tensor<i32>) -> tensor<1xi32>
    %next = stablehlo.dynamic_update_slice %sum, %v, %i : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<4xi32>
  }
  %want = stablehlo.constant dense<[100, 201, 202, 199]> : tensor<4xi32>
  return %0#1, %want : tensor<4xi32>, tensor<4xi32>
}

func.func @if_and_a_loop_that_never_runs() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.if"(%true) ({
    stablehlo.return %one : tensor<i32>
  }, {
    stablehlo.return %two : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %1 = "stablehlo.if"(%false) ({
    stablehlo.return %one : tensor<i32>
  }, {
    stablehlo.return %two : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %2 = stablehlo.while(%i = %two) : tensor<i32>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    stablehlo.return %one : tensor<i32>
  }
  return %0, %one, %1, %two, %2, %two : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

// Known answers of Random123 for 20 rounds of Threefry-2x32: counter and key all zeros, all ones.
func.func @threefry() -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui64>, tensor<2xui32>, tensor<2xui32>, tensor<1xui64>, tensor<1xui64>) {
  %zeros = stablehlo.constant dense<0> : tensor<2xui64>
  %state, %bits = stablehlo.rng_bit_generator %zeros, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  %want_0 = stablehlo.constant dense<[1797259609, 2579123966]> : tensor<2xui32>
  %want_1 = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %ones = stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
  %state_1, %bits_1 = stablehlo.rng_bit_generator %ones, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  %want_2 = stablehlo.constant dense<[481924860, 3137350631]> : tensor<2xui32>
  %state_2, %bits_2 = stablehlo.rng_bit_generator %zeros, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xui64>)
  %want_3 = stablehlo.constant dense<[11077253088097075545]> : tensor<1xui64>
  return %bits, %want_0, %state, %want_1, %bits_1, %want_2, %bits_2, %want_3 : tensor<2xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui64>, tensor<2xui32>, tensor<2xui32>, tensor<1xui64>, tensor<1xui64>
}

// Known answers of Random123 for 10 rounds of Philox-4x32: counter and key all zeros, all ones.
func.func @philox() -> (tensor<4xui32>, tensor<4xui32>, tensor<3xui64>, tensor<3xui64>, tensor<4xui32>, tensor<4xui32>, tensor<3xui64>, tensor<3xui64>) {
  %zeros = stablehlo.constant dense<0> : tensor<3xui64>
  %state, %bits = stablehlo.rng_bit_generator %zeros, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  %want_0 = stablehlo.constant dense<[1713891541, 3781805453, 3159862348, 2600524760]> : tensor<4xui32>
  %want_1 = stablehlo.constant dense<[0, 1, 0]> : tensor<3xui64>
  %ones = stablehlo.constant dense<18446744073709551615> : tensor<3xui64>
  %state_1, %bits_1 = stablehlo.rng_bit_generator %ones, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  %want_2 = stablehlo.constant dense<[1083123565, 1103641358, 2718681030, 1834242557]> : tensor<4xui32>
  // The counter of 128 bits wraps around.
  %want_3 = stablehlo.constant dense<[18446744073709551615, 0, 0]> : tensor<3xui64>
  return %bits, %want_0, %state, %want_1, %bits_1, %want_2, %state_1, %want_3 : tensor<4xui32>, tensor<4xui32>, tensor<3xui64>, tensor<3xui64>, tensor<4xui32>, tensor<4xui32>, tensor<3xui64>, tensor<3xui64>
}

// Feature 0: 1 and 3, mean 2, variance 1; epsilon 3 makes the deviation 2. Feature 1: 5 and 5, variance 0, deviation sqrt 3 hidden by a centred 0.
func.func @batch_norm() -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %x = stablehlo.constant dense<[[1.0, 5.0], [3.0, 5.0]]> : tensor<2x2xf64>
  %scale = stablehlo.constant dense<[4.0, 2.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf64>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 3.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  %want_0 = stablehlo.constant dense<[[-1.5, -1.0], [2.5, -1.0]]> : tensor<2x2xf64>
  %want_1 = stablehlo.constant dense<[2.0, 5.0]> : tensor<2xf64>
  %want_2 = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf64>
  %m = stablehlo.constant dense<[3.0, 5.0]> : tensor<2xf64>
  %v = stablehlo.constant dense<[13.0, 1.0]> : tensor<2xf64>
  // Deviations 4 and 2.
  %inferred = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %m, %v) <{epsilon = 3.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  %want_3 = stablehlo.constant dense<[[-1.5, -1.0], [0.5, -1.0]]> : tensor<2x2xf64>
  // Feature 0 with mean 2, variance 1, deviation 2, gradient (1, 0): sum 1, product -1; 4 / (2 * 2) (2 gy - 1 + (x - 2) / 4).
  %gy = stablehlo.constant dense<[[1.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf64>
  %var = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %gx, %gscale, %goffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %var, %gy) <{epsilon = 3.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  %want_4 = stablehlo.constant dense<[[0.75, 0.0], [-0.75, 0.0]]> : tensor<2x2xf64>
  %want_5 = stablehlo.constant dense<[-0.5, 0.0]> : tensor<2xf64>
  %want_6 = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf64>
  return %y, %want_0, %mean, %want_1, %variance, %want_2, %inferred, %want_3, %gx, %want_4, %gscale, %want_5, %goffset, %want_6 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
