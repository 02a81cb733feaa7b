// RUN: echo-opt %s --split-input-file --verify-diagnostics --refine-shapes

func.func @assertion(%x: tensor<3xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %ok = stablehlo.compare GE, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{'stablehlo.custom_call' op does not hold: expected {4} or more, got 3}}
  stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "expected {4} or more, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @contradiction(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.convert %y : (tensor<4xf32>) -> tensor<?xf32>
  // expected-error@+1 {{requires the same shape for all operands}}
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @said(%x: tensor<6xf32>) -> tensor<?x2xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.add %shape, %zero : tensor<2xi32>
  // expected-error@+1 {{result 0 has type 'tensor<?x2xf32>', but its operands make it 'tensor<2x3xf32>'}}
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// -----

func.func @negative() -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.subtract %one, %two : tensor<1xi32>
  // expected-error@+1 {{dimension 0 of its result would be -1}}
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<?xf32>
  // expected-error@+1 {{'func.call' op calls @again, which calls itself: its shapes cannot be refined}}
  %1 = call @again(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @again(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
