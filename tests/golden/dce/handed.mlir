// RUN: echo-opt %s --dce --split-input-file --allow-unregistered-dialect | FileCheck %s

// What a loop stacks for nobody, two values that only carry each other, and a counter beside the one that counts are not carried.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT:    %[[ONE:.*]] = stablehlo.constant
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.while(%[[I:.*]] = %[[ZERO]], %[[X:.*]] = %arg0) : tensor<i32>, tensor<4xf32>
// CHECK:         } do {
// CHECK-NEXT:      %[[NEXT:.*]] = stablehlo.add %[[I]], %[[ONE]]
// CHECK-NEXT:      %[[Y:.*]] = stablehlo.tanh %[[X]]
// CHECK-NEXT:      stablehlo.return %[[NEXT]], %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]#1
func.func @loop(%x: tensor<4xf32>, %stack: tensor<8x4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:6 = stablehlo.while(%i = %zero, %n = %zero, %s = %stack, %a = %x, %v = %x, %b = %x)
      : tensor<i32>, tensor<i32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %eight = stablehlo.constant dense<8> : tensor<i32>
    %more = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %count = stablehlo.add %n, %one : tensor<i32>
    %row = stablehlo.reshape %v : (tensor<4xf32>) -> tensor<1x4xf32>
    %more_s = stablehlo.dynamic_update_slice %s, %row, %n, %zero : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %to_b = stablehlo.negate %a : tensor<4xf32>
    %to_a = stablehlo.add %b, %v : tensor<4xf32>
    %y = stablehlo.tanh %v : tensor<4xf32>
    stablehlo.return %next, %count, %more_s, %to_a, %y, %to_b : tensor<i32>, tensor<i32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#4 : tensor<4xf32>
}

// -----

// What the condition reads is carried, and what an effect inside reads.
// CHECK-LABEL: func.func @needed
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<f32>, tensor<f32>
// CHECK:           "test.effect"
func.func @needed(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<i32> {
  %r:4 = stablehlo.while(%i = %n, %a = %x, %b = %y, %c = %y) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %a, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    "test.effect"(%b) : (tensor<f32>) -> ()
    %d = stablehlo.add %c, %c : tensor<f32>
    stablehlo.return %i, %b, %a, %d : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %r#0 : tensor<i32>
}

// -----

// A branch inside a loop makes one of three values, and only that one is carried out of both.
// CHECK-LABEL: func.func @branches
// CHECK:         %[[R:.*]]:2 = stablehlo.while
// CHECK:           %[[C:.*]] = "stablehlo.case"
// CHECK-NEXT:        %[[S:.*]] = stablehlo.sine
// CHECK-NEXT:        stablehlo.return %[[S]] : tensor<f32>
// CHECK-NEXT:      }, {
// CHECK-NEXT:        stablehlo.return %{{.*}} : tensor<f32>
// CHECK-NEXT:      }) : (tensor<i32>) -> tensor<f32>
// CHECK:           stablehlo.return %{{.*}}, %[[C]] : tensor<i32>, tensor<f32>
// CHECK:         return %[[R]]#1
func.func @branches(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %r:3 = stablehlo.while(%i = %n, %a = %x, %b = %x) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %c:3 = "stablehlo.case"(%i) ({
      %s = stablehlo.sine %a : tensor<f32>
      %t = stablehlo.cosine %b : tensor<f32>
      stablehlo.return %t, %s, %t : tensor<f32>, tensor<f32>, tensor<f32>
    }, {
      stablehlo.return %a, %a, %b : tensor<f32>, tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %next = stablehlo.add %i, %i : tensor<i32>
    %more_b = stablehlo.add %c#0, %c#2 : tensor<f32>
    stablehlo.return %next, %c#1, %more_b : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}

// -----

// Whose results are what their condition hands on stays as it is.
// CHECK-LABEL: func.func @by_condition
// CHECK:         %{{.*}}:2 = "scf.while"
func.func @by_condition(%x: i32, %y: i32) -> i32 {
  %r:2 = "scf.while"(%x, %y) ({
  ^bb0(%a: i32, %b: i32):
    %more = "arith.cmpi"(%a, %x) <{predicate = 2 : i64}> : (i32, i32) -> i1
    "scf.condition"(%more, %b, %a) : (i1, i32, i32) -> ()
  }, {
  ^bb0(%a: i32, %b: i32):
    "scf.yield"(%b, %a) : (i32, i32) -> ()
  }) : (i32, i32) -> (i32, i32)
  return %r#0 : i32
}
