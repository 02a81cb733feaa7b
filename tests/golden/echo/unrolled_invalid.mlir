// RUN: echo-opt %s --split-input-file --echo=budget=min --verify-diagnostics
// A function that says it is offered for another has to be: what it says of one that is not there, or is not like it, is not passed over.

// expected-error@+1 {{attribute 'echo.unrolled' names no function that this one could be}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {echo.unrolled = @missing} {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{attribute 'echo.unrolled' names no function that this one could be}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {echo.unrolled = 3 : i32} {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{attribute 'echo.unrolled' names no function that this one could be}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {echo.unrolled = @main} {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error@+1 {{attribute 'echo.unrolled' names no function that this one could be}}
func.func @other(%x: tensor<5xf32>) -> tensor<5xf32> attributes {echo.unrolled = @main} {
  return %x : tensor<5xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> attributes {echo.unrolled = @main} {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error@+1 {{another function is offered for that one already}}
func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> attributes {echo.unrolled = @main} {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
