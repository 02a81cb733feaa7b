// RUN: echo-opt %s --split-complex --allow-unregistered-dialect --verify-diagnostics --split-input-file

func.func @order(%z: tensor<2xcomplex<f32>>) -> tensor<2xi1> {
  // expected-error@+1 {{orders complex numbers}}
  %0 = stablehlo.compare LT, %z, %z : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @angle(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error@+1 {{is not computed for complex numbers}}
  %0 = stablehlo.atan2 %z, %z : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// expected-error@+1 {{has control flow between blocks, and complex numbers}}
func.func @blocks(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  return %z : tensor<2xcomplex<f32>>
}

// -----

// expected-error@+1 {{has complex numbers of type 'tensor<?xcomplex<f32>>'; they are computed for static shapes}}
func.func @dynamic(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  return %z : tensor<?xcomplex<f32>>
}

// -----

func.func @made(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{has complex numbers of type 'tensor<?xcomplex<f32>>'; they are computed for static shapes}}
  %0 = stablehlo.complex %x, %x : tensor<?xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
