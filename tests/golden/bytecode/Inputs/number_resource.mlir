"text.op"() : () -> ()

{-#
  external_resources: {
    text: { n: 3 }
  }
#-}
