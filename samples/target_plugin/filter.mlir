// A signal, filtered three times over; its largest value goes into a file each time.
func.func @main(%signal: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i, %filtered = stablehlo.while(%n = %zero, %x = %signal) : tensor<i32>, tensor<2x6xf32>
  cond {
    %more = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %y = stablehlo.custom_call @median_filter(%x) {api_version = 4 : i32, backend_config = {width = 3 : i64}} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %largest = stablehlo.reduce(%y init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    stablehlo.custom_call @append_csv(%largest) {api_version = 4 : i32, backend_config = {path = "largest.csv"}, has_side_effect = true} : (tensor<2xf32>) -> ()
    %next = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %next, %y : tensor<i32>, tensor<2x6xf32>
  }
  return %filtered : tensor<2x6xf32>
}
