"text.op"() {
  a = dense_resource<second> : tensor<3xi64>,
  b = dense_resource<first> : tensor<3xi64>,
  c = dense_resource<second> : tensor<3xi64>,
  d = dense_resource<wide> : tensor<2xi8>
} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      first: "0x08000000010000000000000002000000000000000300000000000000",
      second: "0x08000000040000000000000005000000000000000600000000000000",
      wide: "0x100000000102",
      unused: "0x0100000001"
    }
  },
  external_resources: {
    text: { flag: true, off: false, name: "s", blob: "0x0100000001" },
    more: { blob: "0x1000000001" }
  }
#-}
