// cholesky and triangular_solve of complex numbers, by LAPACK: factors multiply to the matrix, solutions solve for it, its transpose and its adjoint, from the left and the right; a matrix that is not positive definite gives NaN.
// RUN: echo-run %s --no-cache --threads=1 | FileCheck %s
// RUN: echo-run %s --device=interpreter | FileCheck %s
// CHECK: res0 = [1, 1, 1, 1, 1]
// CHECK: res1 = [1, 1, 1, 1]
func.func @far(%x: tensor<2x3x3xcomplex<f32>>, %y: tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1> {
  %0 = stablehlo.subtract %x, %y : tensor<2x3x3xcomplex<f32>>
  %1 = stablehlo.abs %0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reshape %2 : (tensor<f32>) -> tensor<1xf32>
  %near = stablehlo.constant dense<1.0e-4> : tensor<1xf32>
  %4 = stablehlo.compare LT, %3, %near, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  return %4 : tensor<1xi1>
}

func.func @conjugate(%z: tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>> {
  %re = stablehlo.real %z : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %im = stablehlo.imag %z : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %0 = stablehlo.negate %im : tensor<2x3x3xf32>
  %1 = stablehlo.complex %re, %0 : tensor<2x3x3xcomplex<f32>>
  return %1 : tensor<2x3x3xcomplex<f32>>
}

func.func @main(%re: tensor<2x3x3xf32>, %im: tensor<2x3x3xf32>, %b_re: tensor<2x3x3xf32>) -> (tensor<5xi1>, tensor<2x2xi1>) {
  %c = stablehlo.complex %re, %im : tensor<2x3x3xcomplex<f32>>
  %b = stablehlo.complex %b_re, %im : tensor<2x3x3xcomplex<f32>>
  %c_bar = func.call @conjugate(%c) : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %gram = stablehlo.dot_general %c, %c_bar, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %four = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (4.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %fours = stablehlo.broadcast_in_dim %four, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %h = stablehlo.add %gram, %fours : tensor<2x3x3xcomplex<f32>>

  %l = stablehlo.cholesky %h, lower = true : tensor<2x3x3xcomplex<f32>>
  %l_bar = func.call @conjugate(%l) : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %ll = stablehlo.dot_general %l, %l_bar, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %0 = func.call @far(%ll, %h) : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1>
  %u = stablehlo.cholesky %h, lower = false : tensor<2x3x3xcomplex<f32>>
  %u_bar = func.call @conjugate(%u) : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %uu = stablehlo.dot_general %u_bar, %u, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %1 = func.call @far(%uu, %h) : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1>

  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %lx = stablehlo.dot_general %l, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %2 = func.call @far(%lx, %b) : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1>
  %y = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %ly = stablehlo.dot_general %l_bar, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %3 = func.call @far(%ly, %b) : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1>
  %z = "stablehlo.triangular_solve"(%u, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %zu = stablehlo.dot_general %z, %u, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %4 = func.call @far(%zu, %b) : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<1xi1>
  %all = stablehlo.concatenate %0, %1, %2, %3, %4, dim = 0 : (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<5xi1>

  %bad = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 2.0)], [(0.0, -2.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %none = stablehlo.cholesky %bad, lower = true : tensor<2x2xcomplex<f64>>
  %nan = stablehlo.compare NE, %none, %none, FLOAT : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xi1>
  return %all, %nan : tensor<5xi1>, tensor<2x2xi1>
}
