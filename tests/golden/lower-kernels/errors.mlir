// RUN: echo-opt --split-input-file --verify-diagnostics --lower-kernels %s

// What has no lowering says so, at the op.
"kernel.func"() <{sym_name = "complex", kind = "map", function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>}> ({
^bb0(%a: tensor<4xcomplex<f32>>):
  // expected-error@+1 {{has no lowering to scalars for element type 'complex<f32>'}}
  %0 = stablehlo.negate %a : tensor<4xcomplex<f32>>
  "kernel.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
}) : () -> ()

// -----

"kernel.func"() <{sym_name = "sort", kind = "sort", function_type = (tensor<1000000xf64>) -> tensor<1000000xf64>}> ({
^bb0(%a: tensor<1000000xf64>):
  // expected-error@+1 {{sorts rows of 8000000 bytes; at most 2097152 have a lowering}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<1000000xf64>) -> tensor<1000000xf64>
  "kernel.return"(%0) : (tensor<1000000xf64>) -> ()
}) : () -> ()

// -----

"kernel.func"() <{sym_name = "cholesky", kind = "other", function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>}> ({
^bb0(%a: tensor<4x4xf32>):
  // expected-error@+1 {{has no lowering to loops}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  "kernel.return"(%0) : (tensor<4x4xf32>) -> ()
}) : () -> ()

// -----

"kernel.func"() <{sym_name = "unknown", kind = "other", function_type = (tensor<4xf32>) -> tensor<4xf32>}> ({
^bb0(%a: tensor<4xf32>):
  // expected-error@+1 {{'stablehlo.custom_call' op calls 'somebody', which is not known}}
  %0 = stablehlo.custom_call @somebody(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "kernel.return"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()
