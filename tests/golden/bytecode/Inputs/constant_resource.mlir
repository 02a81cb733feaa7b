func.func @f() -> tensor<2xi64> {
  %0 = stablehlo.constant dense_resource<blob> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0800000001000000000000000200000000000000"
    }
  }
#-}
