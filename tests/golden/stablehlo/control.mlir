// Control flow, tuples, tokens, calls.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @while(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %c = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<10> : tensor<i32>
// CHECK-NEXT:    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1) : tensor<i32>, tensor<4xf32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      %1 = stablehlo.compare LT, %iterArg, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %1 = stablehlo.add %iterArg, %c : tensor<i32>
// CHECK-NEXT:      %2 = stablehlo.add %iterArg_1, %iterArg_1 : tensor<4xf32>
// CHECK-NEXT:      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0#1 : tensor<4xf32>
// CHECK-NEXT:  }
func.func @while(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
  %2:2 = "stablehlo.while"(%arg0, %arg1) ({
  ^bb0(%arg4: tensor<i32>, %arg5: tensor<4xf32>):
    %5 = "stablehlo.compare"(%arg4, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<4xf32>):
    %3 = "stablehlo.add"(%arg2, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.add"(%arg3, %arg3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%3, %4) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  "func.return"(%2#1) : (tensor<4xf32>) -> ()
}

// CHECK:  func.func @while_of_nothing() {
// CHECK-NEXT:    stablehlo.while() attributes {note = "kept"}
// CHECK-NEXT:    cond {
// CHECK-NEXT:      %c = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT:      stablehlo.return %c : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      stablehlo.return 
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @while_of_nothing() {
  "stablehlo.while"() ({
    %0 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%0) : (tensor<i1>) -> ()
  }, {
    "stablehlo.return"() : () -> ()
  }) {note = "kept"} : () -> ()
  "func.return"() : () -> ()
}

// CHECK:  func.func @nested(%arg0: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:    %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      %1 = stablehlo.compare LT, %iterArg, %arg0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %1 = stablehlo.while(%iterArg_0 = %iterArg) : tensor<i32>
// CHECK-NEXT:      cond {
// CHECK-NEXT:        %3 = stablehlo.compare LT, %iterArg_0, %iterArg : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        stablehlo.return %3 : tensor<i1>
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %3 = func.call @nested(%iterArg_0) : (tensor<i32>) -> tensor<i32>
// CHECK-NEXT:        stablehlo.return %3 : tensor<i32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %2 = stablehlo.add %1, %iterArg : tensor<i32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0 : tensor<i32>
// CHECK-NEXT:  }
func.func @nested(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%arg4: tensor<i32>):
    %5 = "stablehlo.compare"(%arg4, %arg0) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg1: tensor<i32>):
    %1 = "stablehlo.while"(%arg1) ({
    ^bb0(%arg3: tensor<i32>):
      %4 = "stablehlo.compare"(%arg3, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<i32>):
      %3 = "func.call"(%arg2) <{callee = @nested}> : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%3) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.add"(%1, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%2) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  "func.return"(%0) : (tensor<i32>) -> ()
}

// CHECK:  func.func @branches(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<f32>) {
// CHECK-NEXT:    %0 = "stablehlo.case"(%arg0) ({
// CHECK-NEXT:      stablehlo.return %arg2 : tensor<f32>
// CHECK-NEXT:    }, {
// CHECK-NEXT:      %2 = stablehlo.negate %arg2 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<i32>) -> tensor<f32>
// CHECK-NEXT:    %1:2 = "stablehlo.if"(%arg1) ({
// CHECK-NEXT:      stablehlo.return %arg2, %arg0 : tensor<f32>, tensor<i32>
// CHECK-NEXT:    }, {
// CHECK-NEXT:      %2 = stablehlo.negate %arg2 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2, %arg0 : tensor<f32>, tensor<i32>
// CHECK-NEXT:    }) : (tensor<i1>) -> (tensor<f32>, tensor<i32>)
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @branches(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<f32>) {
  %0 = "stablehlo.case"(%arg0) ({
    "stablehlo.return"(%arg2) : (tensor<f32>) -> ()
  }, {
    %3 = "stablehlo.negate"(%arg2) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  %1:2 = "stablehlo.if"(%arg1) ({
    "stablehlo.return"(%arg2, %arg0) : (tensor<f32>, tensor<i32>) -> ()
  }, {
    %2 = "stablehlo.negate"(%arg2) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2, %arg0) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<i1>) -> (tensor<f32>, tensor<i32>)
  "func.return"() : () -> ()
}

// CHECK:  func.func @tuples_and_tokens(%arg0: tensor<i32>, %arg1: tensor<f32>) -> !stablehlo.token {
// CHECK-NEXT:    %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<i32>, tensor<f32>>
// CHECK-NEXT:    %1 = stablehlo.tuple  : tuple<>
// CHECK-NEXT:    %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
// CHECK-NEXT:    %3 = stablehlo.create_token : !stablehlo.token
// CHECK-NEXT:    %4 = stablehlo.after_all %3, %3 : !stablehlo.token
// CHECK-NEXT:    %5 = stablehlo.after_all  : !stablehlo.token
// CHECK-NEXT:    return %4 : !stablehlo.token
// CHECK-NEXT:  }
func.func @tuples_and_tokens(%arg0: tensor<i32>, %arg1: tensor<f32>) -> !stablehlo.token {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<i32>, tensor<f32>) -> tuple<tensor<i32>, tensor<f32>>
  %1 = "stablehlo.tuple"() : () -> tuple<>
  %2 = "stablehlo.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  %3 = "stablehlo.create_token"() : () -> !stablehlo.token
  %4 = "stablehlo.after_all"(%3, %3) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %5 = "stablehlo.after_all"() : () -> !stablehlo.token
  "func.return"(%4) : (!stablehlo.token) -> ()
}

// CHECK:  func.func @barrier(%arg0: tensor<i32>, %arg1: tensor<f32>) {
// CHECK-NEXT:    stablehlo.optimization_barrier()
// CHECK-NEXT:    %0 = stablehlo.optimization_barrier %arg0 : tensor<i32>
// CHECK-NEXT:    %1:2 = stablehlo.optimization_barrier {note} %arg0, %arg1 : tensor<i32>, tensor<f32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @barrier(%arg0: tensor<i32>, %arg1: tensor<f32>) {
  "stablehlo.optimization_barrier"() : () -> ()
  %0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<i32>) -> tensor<i32>
  %1:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) {note} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  "func.return"() : () -> ()
}

// CHECK:  func.func @calls(%arg0: tensor<2x3xf32>) {
// CHECK-NEXT:    %0 = stablehlo.custom_call @foo(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1:2 = stablehlo.custom_call @"not-an-id"(%arg0, %arg0) {backend_config = "config", has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<f32>)
// CHECK-NEXT:    %2 = stablehlo.custom_call @typed(%arg0) {api_version = 4 : i32, backend_config = {scale = 1.000000e+00 : f32}, called_computations = [@callee], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    stablehlo.custom_call @nothing() : () -> ()
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @calls(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "foo"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1:2 = "stablehlo.custom_call"(%arg0, %arg0) <{backend_config = "config", call_target_name = "not-an-id", has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>]}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<f32>)
  %2 = "stablehlo.custom_call"(%arg0) <{api_version = 4 : i32, backend_config = {scale = 1.000000e+00 : f32}, call_target_name = "typed", called_computations = [@callee], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "stablehlo.custom_call"() <{call_target_name = "nothing"}> : () -> ()
  "func.return"() : () -> ()
}
