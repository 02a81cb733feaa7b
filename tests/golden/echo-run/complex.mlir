// Complex numbers and Fourier transforms: by their parts, on the interpreter and the CPU, the same bits on any number of threads. Arguments and results have the parts in a last dimension of two.
// RUN: echo-run %s --check --no-cache --quiet
// RUN: echo-run %s --check --device=interpreter --quiet
// RUN: echo-run %s --no-cache --entry=spectrum --threads=1 --quiet --outputs=%t.npz
// RUN: echo-run %s --no-cache --entry=spectrum --threads=3 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %s --device=interpreter --entry=spectrum --expect=%t.npz --rtol=0 --atol=0 --quiet



func.func @arithmetic() {
  %z = stablehlo.constant dense<[(3.0, 4.0), (1.0, -2.0)]> : tensor<2xcomplex<f64>>
  %w = stablehlo.constant dense<[(1.0, 1.0), (0.0, 2.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.multiply %z, %w : tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(-1.0, 7.0), (4.0, 2.0)]> : tensor<2xcomplex<f64>>
  %1 = stablehlo.divide %0, %w : tensor<2xcomplex<f64>>
  check.expect_close %1, %z, max_ulp_difference = 2 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %2 = stablehlo.abs %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_almost_eq_const %2, dense<[5.0, 2.23606797749979]> : tensor<2xf64>, tolerance = 1.0e-15
  %3 = stablehlo.real %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %3, dense<[3.0, 1.0]> : tensor<2xf64>
  %4 = stablehlo.imag %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %5 = stablehlo.complex %4, %3 : tensor<2xcomplex<f64>>
  check.expect_eq_const %5, dense<[(4.0, 3.0), (-2.0, 1.0)]> : tensor<2xcomplex<f64>>
  %6 = stablehlo.compare EQ, %z, %w : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xi1>
  check.expect_eq_const %6, dense<false> : tensor<2xi1>
  %7 = stablehlo.compare NE, %z, %z : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xi1>
  check.expect_eq_const %7, dense<false> : tensor<2xi1>
  %8 = stablehlo.convert %z : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %8, dense<[(3.0, 4.0), (1.0, -2.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// What a wide number's bits are as narrow ones: a part's halves, the low one first.
func.func @bits() {
  %w = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  %0 = stablehlo.bitcast_convert %w : (tensor<complex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0, 1.875), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xcomplex<f32>>) -> tensor<complex<f64>>
  check.expect_eq %1, %w : tensor<complex<f64>>
  %2 = stablehlo.bitcast_convert %w : (tensor<complex<f64>>) -> tensor<complex<f64>>
  check.expect_eq %2, %w : tensor<complex<f64>>
  func.return
}

// The angle of (x, y), where these are complex; of real ones, the angle.
func.func @angle() {
  %y = stablehlo.constant dense<[(1.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %x = stablehlo.constant dense<[(2.0, -0.5), (0.0, 0.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.atan2 %y, %x : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.4636476090008061, 0.5493061443340549), (1.5707963267948966, 0.0), (-2.356194490192345, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-15
  func.return
}

// Euler's number is e^(i pi) + 1 = 0; every function at a point, and against its inverse.
func.func @functions() {
  %z = stablehlo.constant dense<[(0.3, -0.7), (-0.4, 0.2), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.exponential %z : tensor<3xcomplex<f64>>
  %1 = stablehlo.log %0 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %1, %z, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  %2 = stablehlo.exponential_minus_one %z : tensor<3xcomplex<f64>>
  %3 = stablehlo.log_plus_one %2 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %3, %z, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  %4 = stablehlo.sqrt %z : tensor<3xcomplex<f64>>
  %5 = stablehlo.multiply %4, %4 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %5, %z, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  %6 = stablehlo.cbrt %z : tensor<3xcomplex<f64>>
  %three = stablehlo.constant dense<(3.0, 0.0)> : tensor<3xcomplex<f64>>
  %7 = stablehlo.power %6, %three : tensor<3xcomplex<f64>>
  check.expect_almost_eq %7, %z, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  %8 = stablehlo.sine %z : tensor<3xcomplex<f64>>
  %9 = stablehlo.cosine %z : tensor<3xcomplex<f64>>
  %10 = stablehlo.divide %8, %9 : tensor<3xcomplex<f64>>
  %11 = stablehlo.tan %z : tensor<3xcomplex<f64>>
  check.expect_almost_eq %10, %11, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  %12 = stablehlo.tanh %z : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %12, dense<[(0.4697051659675581, -0.72703718624352), (-0.3932289477866473, 0.1724237512933455), (0.0, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-15
  %13 = stablehlo.logistic %z : tensor<3xcomplex<f64>>
  %14 = stablehlo.negate %z : tensor<3xcomplex<f64>>
  %15 = stablehlo.logistic %14 : tensor<3xcomplex<f64>>
  %16 = stablehlo.add %13, %15 : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %16, dense<(1.0, 0.0)> : tensor<3xcomplex<f64>>, tolerance = 1.0e-15
  %17 = stablehlo.sign %z : tensor<3xcomplex<f64>>
  %18 = stablehlo.abs %17 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_almost_eq_const %18, dense<[1.0, 1.0, 0.0]> : tensor<3xf64>, tolerance = 1.0e-15
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<3xcomplex<f64>>
  %19 = stablehlo.add %z, %one : tensor<3xcomplex<f64>>
  %20 = stablehlo.rsqrt %19 : tensor<3xcomplex<f64>>
  %21 = stablehlo.multiply %20, %20 : tensor<3xcomplex<f64>>
  %22 = stablehlo.multiply %21, %19 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %22, %one, tolerance = 1.0e-15 : tensor<3xcomplex<f64>>
  func.return
}

// Inverse functions, and a sort by real parts, then imaginary ones.
func.func @inverses() {
  %z = stablehlo.constant dense<[(0.3, -0.7), (-0.4, 0.2), (0.3, -1.5)]> : tensor<3xcomplex<f64>>
  %0 = "chlo.asinh"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %1 = "chlo.sinh"(%0) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq %1, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %2 = "chlo.asin"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %3 = stablehlo.sine %2 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %3, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %4 = "chlo.acos"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %5 = stablehlo.cosine %4 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %5, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %6 = "chlo.acosh"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %7 = "chlo.cosh"(%6) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq %7, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %8 = "chlo.atanh"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %9 = stablehlo.tanh %8 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %9, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %10 = "chlo.atan"(%z) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %11 = stablehlo.tan %10 : tensor<3xcomplex<f64>>
  check.expect_almost_eq %11, %z, tolerance = 1.0e-14 : tensor<3xcomplex<f64>>
  %12 = "stablehlo.sort"(%z) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %ar = stablehlo.real %a : (tensor<complex<f64>>) -> tensor<f64>
    %br = stablehlo.real %b : (tensor<complex<f64>>) -> tensor<f64>
    %ai = stablehlo.imag %a : (tensor<complex<f64>>) -> tensor<f64>
    %bi = stablehlo.imag %b : (tensor<complex<f64>>) -> tensor<f64>
    %eq = stablehlo.compare EQ, %ar, %br : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %lr = stablehlo.compare LT, %ar, %br : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %li = stablehlo.compare LT, %ai, %bi : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %l = stablehlo.select %eq, %li, %lr : tensor<i1>, tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %12, dense<[(-0.4, 0.2), (0.3, -1.5), (0.3, -0.7)]> : tensor<3xcomplex<f64>>
  func.return
}

// Branches, loops, sums, products, gathers: two values where there was one.
func.func @structure() {
  %z = stablehlo.constant dense<[(1.0, 1.0), (2.0, -1.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %0, dense<(3.0, 3.0)> : tensor<complex<f32>>
  %1 = stablehlo.reduce(%z init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %1, dense<(-3.0, 9.0)> : tensor<complex<f32>>
  %2 = stablehlo.dot_general %z, %z, contracting_dims = [0] x [0] : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %2, dense<(-6.0, -2.0)> : tensor<complex<f32>>
  %3 = stablehlo.pad %z, %one, low = [1], high = [0], interior = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  %4 = stablehlo.slice %3 [0:2] : (tensor<4xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %4, dense<[(1.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %5:2 = stablehlo.while(%i = %start, %c = %one) : tensor<i32>, tensor<complex<f32>>
  cond {
    %6 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.slice %z [0:1] : (tensor<3xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    %7 = stablehlo.reshape %6 : (tensor<1xcomplex<f32>>) -> tensor<complex<f32>>
    %8 = stablehlo.multiply %c, %7 : tensor<complex<f32>>
    %9 = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %9, %8 : tensor<i32>, tensor<complex<f32>>
  }
  check.expect_eq_const %5#1, dense<(-2.0, 2.0)> : tensor<complex<f32>>
  func.return
}

func.func @transforms() {
  %x = stablehlo.constant dense<[1.0, 2.0, 0.0, -1.0, 1.5, 0.5]> : tensor<6xf64>
  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<6xf64>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(4.0, 0.0), (2.5, 0.0), (-2.0, -2.598076211353316), (1.0, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-15
  %1 = stablehlo.fft %0, type = IRFFT, length = [6] : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
  check.expect_almost_eq %1, %x, tolerance = 1.0e-15 : tensor<6xf64>
  %z = stablehlo.complex %x, %x : tensor<6xcomplex<f64>>
  %2 = stablehlo.reshape %z : (tensor<6xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  %3 = stablehlo.fft %2, type = FFT, length = [2, 3] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  %4 = stablehlo.fft %3, type = IFFT, length = [2, 3] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  check.expect_almost_eq %4, %2, tolerance = 1.0e-15 : tensor<2x3xcomplex<f64>>
  func.return
}

// 34 = 2 * 17: by a convolution.
func.func private @twice(%z: tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>> {
  %0 = stablehlo.add %z, %z : tensor<5x34xcomplex<f32>>
  return %0 : tensor<5x34xcomplex<f32>>
}
func.func @spectrum(%z: tensor<5x34xcomplex<f32>>) -> (tensor<5x34xcomplex<f32>>, tensor<5x18xf32>) {
  %0 = func.call @twice(%z) : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [34] : (tensor<5x34xcomplex<f32>>) -> tensor<5x34xcomplex<f32>>
  %2 = stablehlo.slice %1 [0:5, 0:18] : (tensor<5x34xcomplex<f32>>) -> tensor<5x18xcomplex<f32>>
  %3 = stablehlo.abs %2 : (tensor<5x18xcomplex<f32>>) -> tensor<5x18xf32>
  return %1, %3 : tensor<5x34xcomplex<f32>>, tensor<5x18xf32>
}
