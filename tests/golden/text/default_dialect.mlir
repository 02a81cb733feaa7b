// RUN: echo-opt %s -o %t.1 && FileCheck %s --input-file=%t.1
// RUN: echo-opt %t.1 | diff %t.1 -
// RUN: echo-opt %s --mlir-print-op-generic -o %t.2
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.2 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.2 %}

// An op in generic form leaves the dialect whose prefix may be left out as it is around it, through any number of them.

func.func private @callee(tensor<i32>) -> tensor<i1>

// CHECK-LABEL: func.func @inherited(
func.func @inherited(%a: tensor<i32>) -> tensor<i32> {
  // CHECK: stablehlo.while
  // CHECK: %[[C:.*]] = func.call @callee(%{{.*}}) : (tensor<i32>) -> tensor<i1>
  // CHECK: "stablehlo.if"(%[[C]])
  // CHECK: func.call @callee
  // CHECK: return
  %r = "stablehlo.while"(%a) ({
  ^bb0(%i: tensor<i32>):
    %0 = call @callee(%i) : (tensor<i32>) -> tensor<i1>
    %1 = "stablehlo.if"(%0) ({
      %2 = call @callee(%i) : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"(%0) : (tensor<i1>) -> ()
    }) : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>):
    %3 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
