// RUN: echo-opt %s --inline --split-input-file | FileCheck %s
// RUN: echo-opt %s --inline=all=true --split-input-file | tail -n 10 | FileCheck %s --check-prefix=ALL
// RUN: echo-opt %s --inline --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[A:.*]] = stablehlo.add %[[X]], %[[X]] : tensor<f32>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[X]] : tensor<f32>
// CHECK-NEXT:    %[[C:.*]] = stablehlo.add %[[B]], %[[B]] : tensor<f32>
// CHECK-NEXT:    return %[[C]] : tensor<f32>
// LOC-LABEL:   func.func @main
// LOC:           stablehlo.add {{.*}} loc(callsite("body" at callsite("call" at
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @scale(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @double(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @scale(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @double(%x) : (tensor<f32>) -> tensor<f32> loc("call")
  %1 = stablehlo.multiply %0, %x : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @double(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32> loc("body")
  return %0 : tensor<f32>
}

// -----

// Calls in a circle and of declarations stay.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[A:.*]] = call @declared
// CHECK:         call @loop
func.func private @declared(tensor<i32>) -> tensor<i32>
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @declared(%x) : (tensor<i32>) -> tensor<i32>
  %1 = call @loop(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @loop(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @loop(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Into regions, and bodies with regions.
// CHECK-LABEL: func.func @main
// CHECK:         "stablehlo.if"
// CHECK-NEXT:      %[[I:.*]] = "stablehlo.if"
// CHECK:           stablehlo.return %[[I]]
// CHECK:         return
func.func @main(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%c) ({
    %1 = func.call @choose(%c, %x) : (tensor<i1>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @choose(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Calls in calls share the locations of the calls around them; what nobody names any more is left as it was.
// CHECK-LABEL: func.func @outer
// CHECK-NEXT:    stablehlo.tanh
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    stablehlo.abs
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @middle
// CHECK:         call @inner
// CHECK-LABEL: func.func private @named
// CHECK-NEXT:    stablehlo.abs
// LOC-LABEL:   func.func @outer
// LOC:           stablehlo.tanh {{.*}} loc(callsite("t" at "first"))
// LOC:           stablehlo.negate {{.*}} loc(callsite("n" at callsite("second" at "first")))
// LOC:           stablehlo.abs {{.*}} loc(callsite("a" at callsite("third" at callsite("second" at "first"))))
func.func @outer(%x: tensor<f32>) -> tensor<f32> attributes {test.names = @named} {
  %0 = call @middle(%x) : (tensor<f32>) -> tensor<f32> loc("first")
  return %0 : tensor<f32>
}
func.func private @middle(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %x : tensor<f32> loc("t")
  %1 = call @inner(%0) : (tensor<f32>) -> tensor<f32> loc("second")
  return %1 : tensor<f32>
}
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32> loc("n")
  %1 = call @least(%0) : (tensor<f32>) -> tensor<f32> loc("third")
  return %1 : tensor<f32>
}
func.func private @named(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @least(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @least(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32> loc("a")
  return %0 : tensor<f32>
}

// -----

// Who says so is left alone, unless nothing may stay.
// CHECK-LABEL: func.func @main
// CHECK:         call @kept
// ALL:         func.func @main
// ALL-NOT:       call @kept
// ALL:           return
func.func @main() {
  call @kept() : () -> ()
  return
}
"func.func"() <{sym_name = "kept", function_type = () -> (), sym_visibility = "private", no_inline}> ({
  "func.return"() : () -> ()
}) : () -> ()

// upstream: no_inline is a property of func.func since LLVM 20
