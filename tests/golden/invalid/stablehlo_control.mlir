// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about control, once.

func.func @f(%a: tensor<i32>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{'stablehlo.while' op expects 1 arguments in the cond region}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{'stablehlo.while' op argument 0 of the cond region has type 'tensor<i64>', operand has 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i64>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.while' op expects the cond region to return one tensor<i1>}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{'stablehlo.while' op expects the body region to return 1 values}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x, %x) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{'stablehlo.while' op argument 0 of the body region has type 'tensor<f32>', operand has 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{'stablehlo.while' op value 0 that the body region returns has type 'tensor<i1>', operand has 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{1 operands present, but expected 2}}
  %0 = stablehlo.while(%x = %a) : tensor<i32>, tensor<i32>
  cond {
    stablehlo.return %x : tensor<i32>
  } do {
    stablehlo.return %x : tensor<i32>
  }
  return
}

// -----

func.func @f(%a: tensor<2xi32>, %b: tensor<f32>, %c: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.case' op expects a scalar to choose a branch, but got 'tensor<2xi32>'}}
  %0 = "stablehlo.case"(%a) ({
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<2xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.case' op branch 0 returns 1 values, branch 1 returns 2}}
  %0 = "stablehlo.case"(%a) ({
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%b, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.case' op branches 0 and 1 return different types: 'tensor<f32>', 'tensor<i64>'}}
  %0 = "stablehlo.case"(%a) ({
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<i64>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.case' op inferred type(s) 'tensor<i64>' are incompatible with return type(s) of operation 'tensor<f32>'}}
  %0 = "stablehlo.case"(%a) ({
    "stablehlo.return"(%c) : (tensor<i64>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<i64>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.case' op expects at least one branch}}
  "stablehlo.case"(%a) : (tensor<i32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.case' op branch 0 must have 0 arguments, but found 1}}
  %0 = "stablehlo.case"(%a) ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i1>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.if' op branch 1 is empty}}
  %0 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }, {
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{expected tuple type}}
  %0 = stablehlo.tuple %a : tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{1 operands present, but expected 2}}
  %0 = stablehlo.tuple %a : tuple<tensor<i32>, tensor<i32>>
  return
}

// -----

func.func @f(%a: tuple<tensor<i32>>) {
  // expected-error@+1 {{'stablehlo.get_tuple_element' op index 1 is out of range of 'tuple<tensor<i32>>'}}
  %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<i32>>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.get_tuple_element' op operand #0 must be tuple, but got 'tensor<i32>'}}
  %0 = "stablehlo.get_tuple_element"(%a) <{index = 0 : i32}> : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.optimization_barrier' op requires result #0 to have the type of its operand}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op layouts should be specified for both operands and results or none}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op number of result layouts must be the number of results, 1}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op output_operand_alias has operand_index 1 of 1 operands}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op output_operand_alias joins an output and an operand of different types}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op backend_config must be a dictionary with API version 4, a string with others}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 4 : i32, backend_config = "text"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op attribute 'api_version' failed to satisfy constraint: api version}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 7 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op output_operand_alias of an op without results}}
  "stablehlo.custom_call"(%a) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' op output_operand_alias has output index 2 of 2 results}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.composite' op name 'noname' is not of the form namespace.name}}
  %0 = stablehlo.composite "noname" %a {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.composite' op 'missing' does not reference a valid function}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @missing} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.case' op branches return 40 values}}
  %0 = "stablehlo.case"(%a) ({
    "stablehlo.return"(%b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<3xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.composite' op operands and results differ from those of its decomposition}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{tuples have no layout: operand #0}}
  "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []}> : (tuple<tensor<2xf32>>) -> ()
  return
}

// -----

func.func @f(%a: !stablehlo.token) {
  // expected-error@+1 {{only tensors can have a layout: operand #0 of type '!stablehlo.token'}}
  "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []}> : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{layout of operand #0 must be a permutation of the dimensions of 'tensor<2x3xf32>'}}
  "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [dense<[0, 0]> : tensor<2xindex>], result_layouts = []}> : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{layout of operand #0 must be a list of dimensions}}
  "stablehlo.custom_call"(%a) <{call_target_name = "foo", operand_layouts = [3 : i64], result_layouts = []}> : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @g() { return }
func.func @f() {
  // expected-error@+1 {{name '0.foo' is not of the form namespace.name}}
  stablehlo.composite "0.foo" {decomposition = @g} : () -> ()
  // expected-error@+1 {{name 'foo.%' is not of the form namespace.name}}
  stablehlo.composite "foo.%" {decomposition = @g} : () -> ()
  return
}
