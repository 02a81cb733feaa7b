// RUN: echo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What a kernel.func must be, whatever stands in it.

// expected-error@+1 {{'kernel.func' op expects 'function_type' to be a function type}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = i32}> ({
^bb0:
  "test.end"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'kernel.func' op expects a body of one block}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error@+1 {{'kernel.func' op expects its body to end in 'kernel.return'}}
"kernel.func"() <{sym_name = "k", kind = "map", function_type = () -> ()}> ({
  "test.end"() : () -> ()
}) : () -> ()

// -----

func.func @f() {
  // expected-error@+1 {{op 'kernel.return' has no custom assembly form}}
  kernel.return
}

// -----

// expected-error@+1 {{attribute 'echo.recompute' is a unit attribute}}
"a.b"() {echo.recompute = 1 : i32} : () -> ()

// -----

func.func @beyond(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{argument #1 reaches beyond the 24 bytes of buffer 1}}
  %0 = "kernel.invoke"(%x) <{arguments = [{buffer = 0 : i64, strides = array<i64: 16>}, {buffer = 1 : i64, from = 0 : i64, strides = array<i64: 16>}], flops = 1.0 : f64, grid = array<i64: 2>, library = "blas", signature = ["void", "ptr", "ptr"], symbol = "f"}> : (tensor<2x4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @backwards(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #0 reaches beyond the 16 bytes of buffer 1}}
  %0 = "kernel.invoke"(%x) <{arguments = [{buffer = 1 : i64, strides = array<i64: -4>}], flops = 1.0 : f64, grid = array<i64: 2>, library = "blas", signature = ["void", "ptr"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @overflow(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has a grid that is negative or too large}}
  %0 = "kernel.invoke"(%x) <{arguments = [], flops = 1.0 : f64, grid = array<i64: 4294967296, 4294967296>, library = "blas", signature = ["void"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @space(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #0 reaches beyond the 16 bytes of buffer 1}}
  %0 = "kernel.invoke"(%x) <{arguments = [{space = 1 : i64, stride = 8 : i64}], flops = 1.0 : f64, grid = array<i64: 3>, library = "blas", signature = ["void", "ptr"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #0 is not of its type in the signature}}
  %0 = "kernel.invoke"(%x) <{arguments = [8 : i64], flops = 1.0 : f64, grid = array<i64: 3>, library = "blas", signature = ["void", "ptr"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @tasks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has a negative 'tasks'}}
  %0 = "kernel.invoke"(%x) <{arguments = [], flops = 1.0 : f64, grid = array<i64: 3>, library = "blas", signature = ["void"], symbol = "f", tasks = -1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @transform(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #2 reaches beyond the 16 bytes of buffer 2}}
  %0:3 = "kernel.invoke"(%re, %im) <{arguments = [{buffer = 0 : i64, strides = array<i64: 0>}, {buffer = 1 : i64, strides = array<i64: 0>}, {buffer = 2 : i64, strides = array<i64: 4>}, {buffer = 3 : i64, strides = array<i64: 4>}, {space = 4 : i64, stride = 192 : i64}, 4 : i64, {axis = 0 : i64, tile = 1 : i64, total = 2 : i64}, 0 : i64], flops = 1.0 : f64, grid = array<i64: 2>, library = "echo", signature = ["void", "ptr", "ptr", "ptr", "ptr", "ptr", "i64", "i64", "i64"], symbol = "echo_fft_f32", tasks = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<24xf64>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @space_of_transform(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has too little space for transforms of 4}}
  %0:3 = "kernel.invoke"(%re, %im) <{arguments = [{buffer = 0 : i64, strides = array<i64: 0>}, {buffer = 1 : i64, strides = array<i64: 0>}, {buffer = 2 : i64, strides = array<i64: 0>}, {buffer = 3 : i64, strides = array<i64: 0>}, {space = 4 : i64, stride = 120 : i64}, 4 : i64, {axis = 0 : i64, tile = 1 : i64, total = 1 : i64}, 0 : i64], flops = 1.0 : f64, grid = array<i64: 1>, library = "echo", signature = ["void", "ptr", "ptr", "ptr", "ptr", "ptr", "i64", "i64", "i64"], symbol = "echo_fft_f32", tasks = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<24xf64>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @rows_of_transform(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #0 reaches beyond the 16 bytes of buffer 0}}
  %0:3 = "kernel.invoke"(%re, %im) <{arguments = [{buffer = 0 : i64, strides = array<i64: 0>}, {buffer = 1 : i64, strides = array<i64: 0>}, {buffer = 2 : i64, strides = array<i64: 0>}, {buffer = 3 : i64, strides = array<i64: 0>}, {space = 4 : i64, stride = 256 : i64}, 4 : i64, {axis = 0 : i64, tile = 2 : i64, total = 2 : i64}, 0 : i64], flops = 1.0 : f64, grid = array<i64: 1>, library = "echo", signature = ["void", "ptr", "ptr", "ptr", "ptr", "ptr", "i64", "i64", "i64"], symbol = "echo_fft_f32", tasks = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<32xf64>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @deal_of_transform(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{deals its rows out to other items than it has}}
  %0:3 = "kernel.invoke"(%re, %im) <{arguments = [{buffer = 0 : i64, strides = array<i64: 0>}, {buffer = 1 : i64, strides = array<i64: 0>}, {buffer = 2 : i64, strides = array<i64: 0>}, {buffer = 3 : i64, strides = array<i64: 0>}, {space = 4 : i64, stride = 192 : i64}, 4 : i64, {axis = 0 : i64, tile = 2 : i64, total = 5 : i64}, 0 : i64], flops = 1.0 : f64, grid = array<i64: 2>, library = "echo", signature = ["void", "ptr", "ptr", "ptr", "ptr", "ptr", "i64", "i64", "i64"], symbol = "echo_fft_f32", tasks = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<24xf64>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @routine(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{calls 'fft' otherwise than as library "echo" has it}}
  %0 = "kernel.invoke"(%x) <{arguments = [], flops = 1.0 : f64, grid = array<i64: 3>, library = "echo", signature = ["void"], symbol = "fft"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @order_of_a_target(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{argument #1 of a target is no buffer, or a result before an operand}}
  %0 = "kernel.invoke"(%x) <{arguments = [], buffers = array<i64: 1, 0>, flops = 0.0 : f64, grid = array<i64: 1>, library = "target", signature = ["void"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @number_for_a_target(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is a target's call, and expects buffers, not arguments}}
  %0 = "kernel.invoke"(%x) <{arguments = [1 : i64], flops = 0.0 : f64, grid = array<i64: 1>, library = "target", signature = ["void", "i64"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @target_of_a_grid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is not one call of a target, token first}}
  %0 = "kernel.invoke"(%x) <{arguments = [], buffers = array<i64: 0, 1>, flops = 0.0 : f64, grid = array<i64: 2>, library = "target", signature = ["void"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @target_of_other_types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{declares '(tensor<4xcomplex<f32>>) -> tensor<4xf32>', which is not what its buffers hold}}
  %0 = "kernel.invoke"(%x) <{arguments = [], buffers = array<i64: 0, 1>, declared = (tensor<4xcomplex<f32>>) -> tensor<4xf32>, flops = 0.0 : f64, grid = array<i64: 1>, library = "target", signature = ["void"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @effect_without_token(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a token, tensor<i1>, as its first operand and result, and all its buffers to be handed over}}
  %0 = "kernel.effect"(%x) <{arguments = [], buffers = array<i64: 0, 1>, flops = 0.0 : f64, grid = array<i64: 1>, has_token, library = "target", signature = ["void"], symbol = "f"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @token_for_a_library(%t: tensor<i1>) -> tensor<i1> {
  // expected-error@+1 {{has a token or whole buffers, and is no target's call}}
  %0 = "kernel.effect"(%t) <{arguments = [{buffer = 0 : i64, strides = array<i64: 0>}, {buffer = 1 : i64, strides = array<i64: 0>}], flops = 0.0 : f64, grid = array<i64: 1>, has_token, library = "blas", signature = ["void", "ptr", "ptr"], symbol = "f"}> : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}
