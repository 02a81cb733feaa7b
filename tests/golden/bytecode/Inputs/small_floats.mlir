// Floats that bytecode has had codes for since MLIR 21: before, they stood in it as their text.
module {
  func.func public @main(%a: tensor<2xf8E4M3FN>, %b: tensor<2xf8E5M2>, %c: tensor<2xf8E4M3>, %d: tensor<2xf8E3M4>, %e: tensor<2xf8E4M3FNUZ>, %f: tensor<2xf8E5M2FNUZ>, %g: tensor<2xf8E4M3B11FNUZ>, %h: tensor<2xf8E8M0FNU>, %i: tensor<2xf4E2M1FN>, %j: tensor<2xf6E2M3FN>, %k: tensor<2xf6E3M2FN>, %l: tensor<2xtf32>) -> tensor<2xf8E4M3FN> attributes {floats = [1.5 : f8E4M3FN, -2.0 : f8E5M2, 0.5 : f4E2M1FN, 0.125 : f6E2M3FN, 4.0 : f8E8M0FNU, 1.5 : tf32]} {
    %0 = stablehlo.constant dense<[1.5, -448.0]> : tensor<2xf8E4M3FN>
    %1 = stablehlo.constant dense<2.0> : tensor<2xf8E5M2>
    %2 = stablehlo.constant dense<[1.0, -6.0]> : tensor<2xf4E2M1FN>
    %3 = stablehlo.constant dense<[1.0, 7.5]> : tensor<2xf6E2M3FN>
    %4 = stablehlo.add %a, %0 : tensor<2xf8E4M3FN>
    return %4 : tensor<2xf8E4M3FN>
  }
}
