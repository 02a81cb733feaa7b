// RUN: rm -rf %t && split-file %s %t
// RUN: echo-opt --reuse-arrays %t/over.mlir -o %t/over.out.mlir
// RUN: FileCheck %t/over.mlir --input-file=%t/over.out.mlir
// RUN: echo-run %t/over.mlir --device=interpreter --outputs=%t/over.npz --quiet
// RUN: echo-run %t/over.out.mlir --device=interpreter --expect=%t/over.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/over.mlir --expect=%t/over.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t/over.mlir -o %t/over.planned.mlir
// RUN: echo-opt --verify-plan %t/over.planned.mlir --no-output
// RUN: echo-opt --reuse-arrays %t/read_later.mlir -o %t/read_later.out.mlir
// RUN: FileCheck %t/read_later.mlir --input-file=%t/read_later.out.mlir
// RUN: echo-run %t/read_later.mlir --device=interpreter --outputs=%t/read_later.npz --quiet
// RUN: echo-run %t/read_later.out.mlir --device=interpreter --expect=%t/read_later.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/read_later.mlir --expect=%t/read_later.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t/read_later.mlir -o %t/read_later.planned.mlir
// RUN: echo-opt --verify-plan %t/read_later.planned.mlir --no-output
// RUN: echo-opt --reuse-arrays %t/another_index.mlir -o %t/another_index.out.mlir
// RUN: FileCheck %t/another_index.mlir --input-file=%t/another_index.out.mlir
// RUN: echo-run %t/another_index.mlir --device=interpreter --outputs=%t/another_index.npz --quiet
// RUN: echo-run %t/another_index.out.mlir --device=interpreter --expect=%t/another_index.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/another_index.mlir --expect=%t/another_index.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t/another_index.mlir -o %t/another_index.planned.mlir
// RUN: echo-opt --verify-plan %t/another_index.planned.mlir --no-output
// RUN: echo-opt --reuse-arrays %t/argument.mlir -o %t/argument.out.mlir
// RUN: FileCheck %t/argument.mlir --input-file=%t/argument.out.mlir
// RUN: echo-run %t/argument.mlir --device=interpreter --outputs=%t/argument.npz --quiet
// RUN: echo-run %t/argument.out.mlir --device=interpreter --expect=%t/argument.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/argument.mlir --expect=%t/argument.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t/argument.mlir -o %t/argument.planned.mlir
// RUN: echo-opt --verify-plan %t/argument.planned.mlir --no-output
// RUN: echo-opt --reuse-arrays %t/renamed.mlir -o %t/renamed.out.mlir
// RUN: FileCheck %t/renamed.mlir --input-file=%t/renamed.out.mlir
// RUN: echo-run %t/renamed.mlir --device=interpreter --outputs=%t/renamed.npz --quiet
// RUN: echo-run %t/renamed.out.mlir --device=interpreter --expect=%t/renamed.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/renamed.mlir --expect=%t/renamed.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --to=planned %t/renamed.mlir -o %t/renamed.planned.mlir
// RUN: echo-opt --verify-plan %t/renamed.planned.mlir --no-output

//--- over.mlir
// Nothing reads the absolute values after the loop, which takes slice i of them where it writes slice i: it begins with them. What it makes of
// slice i after what it writes there is made of what was there before.
// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = stablehlo.abs
// CHECK:         stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %[[A]], %{{.*}} = %{{.*}}) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
// CHECK:           %[[O:.*]] = stablehlo.dynamic_slice %[[S]], %[[I]],
// CHECK:           %[[Y:.*]] = stablehlo.subtract %[[O]],
// CHECK:           stablehlo.dynamic_update_slice %[[S]], %[[Y]], %[[I]],
// CHECK:           stablehlo.multiply %[[Y]], %[[O]]
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %first = stablehlo.constant dense<0.0> : tensor<64xf32>
  %A = stablehlo.abs %x : tensor<8x64xf32>
  %f:4 = stablehlo.while(%i = %zero, %s = %empty, %t = %first, %as = %A) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>, tensor<8x64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %seven, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %as, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %t1 = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %y = stablehlo.subtract %a, %t1 : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %z = stablehlo.multiply %y, %a : tensor<1x64xf32>
    %u = stablehlo.negate %z : tensor<1x64xf32>
    %u1 = stablehlo.reshape %u : (tensor<1x64xf32>) -> tensor<64xf32>
    stablehlo.return %j, %s1, %u1, %as : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>, tensor<8x64xf32>
  }
  return %f#1, %f#2 : tensor<8x64xf32>, tensor<64xf32>
}

// -----
//--- read_later.mlir
// Somebody reads them later.
// CHECK-LABEL: func.func @main
// CHECK:         %[[E:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[E]],
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %first = stablehlo.constant dense<0.0> : tensor<64xf32>
  %A = stablehlo.abs %x : tensor<8x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %t = %first) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %seven, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %A, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %t1 = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %y = stablehlo.subtract %a, %t1 : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %z = stablehlo.multiply %y, %a : tensor<1x64xf32>
    %u = stablehlo.negate %z : tensor<1x64xf32>
    %u1 = stablehlo.reshape %u : (tensor<1x64xf32>) -> tensor<64xf32>
    stablehlo.return %j, %s1, %u1 : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
  }
  %r = stablehlo.add %A, %f#1 : tensor<8x64xf32>
  return %r, %f#2 : tensor<8x64xf32>, tensor<64xf32>
}

// -----
//--- another_index.mlir
// The loop reads slice 7 - i, which is written over by then.
// CHECK-LABEL: func.func @main
// CHECK:         %[[E:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[E]],
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %first = stablehlo.constant dense<0.0> : tensor<64xf32>
  %A = stablehlo.abs %x : tensor<8x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %t = %first) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %seven, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %A, %k, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %t1 = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %y = stablehlo.subtract %a, %t1 : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %z = stablehlo.multiply %y, %a : tensor<1x64xf32>
    %u = stablehlo.negate %z : tensor<1x64xf32>
    %u1 = stablehlo.reshape %u : (tensor<1x64xf32>) -> tensor<64xf32>
    stablehlo.return %j, %s1, %u1 : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
  }
  return %f#1, %f#2 : tensor<8x64xf32>, tensor<64xf32>
}

// -----
//--- argument.mlir
// An argument is the caller's.
// CHECK-LABEL: func.func @main
// CHECK:         %[[E:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[E]],
func.func @main(%A: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %first = stablehlo.constant dense<0.0> : tensor<64xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %t = %first) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %seven, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %A, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %t1 = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %y = stablehlo.subtract %a, %t1 : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %z = stablehlo.multiply %y, %a : tensor<1x64xf32>
    %u = stablehlo.negate %z : tensor<1x64xf32>
    %u1 = stablehlo.reshape %u : (tensor<1x64xf32>) -> tensor<64xf32>
    stablehlo.return %j, %s1, %u1 : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
  }
  return %f#1, %f#2 : tensor<8x64xf32>, tensor<64xf32>
}

// -----
//--- renamed.mlir
// The same elements under another name are read later.
// CHECK-LABEL: func.func @main
// CHECK:         %[[E:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[E]],
func.func @main(%x: tensor<512xf32>) -> (tensor<8x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %first = stablehlo.constant dense<0.0> : tensor<64xf32>
  %v = stablehlo.abs %x : tensor<512xf32>
  %A = stablehlo.reshape %v : (tensor<512xf32>) -> tensor<8x64xf32>
  %f:3 = stablehlo.while(%i = %zero, %s = %empty, %t = %first) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
   cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %seven, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %A, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %t1 = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %y = stablehlo.subtract %a, %t1 : tensor<1x64xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %y, %i, %zero : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %z = stablehlo.multiply %y, %a : tensor<1x64xf32>
    %u = stablehlo.negate %z : tensor<1x64xf32>
    %u1 = stablehlo.reshape %u : (tensor<1x64xf32>) -> tensor<64xf32>
    stablehlo.return %j, %s1, %u1 : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
  }
  %w = stablehlo.reshape %v : (tensor<512xf32>) -> tensor<8x64xf32>
  %r = stablehlo.add %w, %f#1 : tensor<8x64xf32>
  return %r, %f#2 : tensor<8x64xf32>, tensor<64xf32>
}
