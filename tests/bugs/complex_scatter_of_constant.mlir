// A scatter of complex numbers whose body adds a constant of outside, and one that writes one: parts
// were split as if the body added its arguments, and the constant was erased while in use.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet

func.func @adds() {
  %a = stablehlo.constant dense<[(1.0, 1.0), (2.0, 0.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %u = stablehlo.constant dense<(9.0, 9.0)> : tensor<2xcomplex<f32>>
  %c = stablehlo.constant dense<(2.0, 5.0)> : tensor<complex<f32>>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
    %1 = stablehlo.add %x, %c : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) : (tensor<3xcomplex<f32>>, tensor<2x1xi64>, tensor<2xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(3.0, 6.0), (2.0, 0.0), (2.0, 8.0)]> : tensor<3xcomplex<f32>>
  func.return
}

func.func @writes() {
  %a = stablehlo.constant dense<[(1.0, 1.0), (2.0, 0.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %u = stablehlo.constant dense<(9.0, 9.0)> : tensor<2xcomplex<f32>>
  %c = stablehlo.constant dense<(2.0, 5.0)> : tensor<complex<f32>>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
    stablehlo.return %c : tensor<complex<f32>>
  }) : (tensor<3xcomplex<f32>>, tensor<2x1xi64>, tensor<2xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(2.0, 5.0), (2.0, 0.0), (2.0, 5.0)]> : tensor<3xcomplex<f32>>
  func.return
}
