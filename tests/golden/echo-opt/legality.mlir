// A module may not hold what its stage forbids.
// RUN: echo-opt %s --split-input-file --verify-diagnostics

module attributes {echo.stage = "tensor"} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{is not legal in stage 'tensor'}}
    %0 = "nn.softmax"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// expected-error@+1 {{attribute 'echo.stage' names no stage}}
module attributes {echo.stage = "nowhere"} {}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'echo.phase' has an unknown value "sideways"}}
  %0 = stablehlo.abs %x {echo.phase = "sideways"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
