// RUN: echo-opt %s --lower-custom-calls --verify-diagnostics --split-input-file

func.func @unknown(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{calls 'who', which is not known}}
  %0 = stablehlo.custom_call @who(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @rows(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{entry 0 of operand_layouts is not the layout by columns of 'tensor<4x4xf32>'}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @dictionary(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expects a number 'uplo' in its backend_config}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @types(%a: tensor<4x4xf64>) -> tensor<4x4xf64> {
  // expected-error@+1 {{operands and results are not those of LAPACK's 'potrf'}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>)
  return %0#0 : tensor<4x4xf64>
}

// -----

func.func @too_many(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{has more operands or results than any routine of LAPACK}}
  stablehlo.custom_call @lapack_spotrf_ffi(%a, %a, %a, %a, %a, %a, %a, %a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  return
}

// -----

func.func @effect(%t: !stablehlo.token) -> !stablehlo.token {
  // expected-error@+1 {{has an effect that nothing here carries out}}
  %0 = "stablehlo.outfeed"(%t) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @product(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not supported}}
  %0 = stablehlo.einsum %x, %y, config = "ab,b->a" : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @diagonal(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not supported}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ii->i"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @twice(%x: tensor<2xf32>) -> tensor<2x2xf32> {
  // expected-error@+1 {{is not supported}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "i->ii"}> : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @trap(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{names buffer 2, which is no operand and no result}}
  %0 = "kernel.invoke"(%x) <{arguments = [{buffer = 2 : i64, strides = array<i64: 4>}], flops = 1.0 : f64, grid = array<i64: 1>, library = "blas", signature = ["void", "ptr"], symbol = "f"}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function of Python's that JAX wrote as a number of its process.
func.func @python(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{calls 'xla_ffi_python_cpu_callback', which is not known: it is a function of the Python process that wrote the program, which is reached by JAX's plug-in alone}}
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) {api_version = 4 : i32, mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @shape(%a: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<f32> {
  // expected-error@+1 {{has a shape that is known only when it runs, 'tensor<?x?xf32>': here shapes are constants, or those of the arguments}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @bounded(%a: tensor<6xf32>, %n: tensor<i32>) -> tensor<f32> {
  // expected-error@+1 {{has a shape that is known only when it runs, 'tensor<?xf32, #stablehlo.bounds<6>>'}}
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @amounts(%a: tensor<6xf32>, %n: tensor<1xi64>) -> tensor<3xf32> {
  // expected-error@+1 {{takes a shape that is known only when it runs: here such operands are constants}}
  %0 = stablehlo.real_dynamic_slice %a, %n, %n, %n : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A token that only orders what is refused says nothing of its own.
func.func @token(%a: tensor<2xf32>) -> tensor<2xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  // expected-error@+1 {{has an effect that nothing here carries out}}
  %0 = "stablehlo.outfeed"(%a, %t) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %a : tensor<2xf32>
}
