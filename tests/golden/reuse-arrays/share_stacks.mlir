// RUN: rm -rf %t && split-file %s %t
// RUN: echo-opt --reuse-arrays %t/outputs.mlir -o %t/outputs.out.mlir
// RUN: FileCheck %t/outputs.mlir --input-file=%t/outputs.out.mlir
// RUN: echo-run %t/outputs.mlir --device=interpreter --outputs=%t/outputs.npz --quiet
// RUN: echo-run %t/outputs.out.mlir --device=interpreter --expect=%t/outputs.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/unsigned.mlir -o %t/unsigned.out.mlir
// RUN: FileCheck %t/unsigned.mlir --input-file=%t/unsigned.out.mlir
// RUN: echo-run %t/unsigned.mlir --device=interpreter --outputs=%t/unsigned.npz --quiet
// RUN: echo-run %t/unsigned.out.mlir --device=interpreter --expect=%t/unsigned.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/other_end.mlir -o %t/other_end.out.mlir
// RUN: FileCheck %t/other_end.mlir --input-file=%t/other_end.out.mlir
// RUN: echo-run %t/other_end.mlir --device=interpreter --outputs=%t/other_end.npz --quiet
// RUN: echo-run %t/other_end.out.mlir --device=interpreter --expect=%t/other_end.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/before.mlir -o %t/before.out.mlir
// RUN: FileCheck %t/before.mlir --input-file=%t/before.out.mlir
// RUN: echo-run %t/before.mlir --device=interpreter --outputs=%t/before.npz --quiet
// RUN: echo-run %t/before.out.mlir --device=interpreter --expect=%t/before.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/twice.mlir -o %t/twice.out.mlir
// RUN: FileCheck %t/twice.mlir --input-file=%t/twice.out.mlir
// RUN: echo-run %t/twice.mlir --device=interpreter --outputs=%t/twice.npz --quiet
// RUN: echo-run %t/twice.out.mlir --device=interpreter --expect=%t/twice.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/both_read.mlir -o %t/both_read.out.mlir
// RUN: FileCheck %t/both_read.mlir --input-file=%t/both_read.out.mlir
// RUN: echo-run %t/both_read.mlir --device=interpreter --outputs=%t/both_read.npz --quiet
// RUN: echo-run %t/both_read.out.mlir --device=interpreter --expect=%t/both_read.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/one_row.mlir -o %t/one_row.out.mlir
// RUN: FileCheck %t/one_row.mlir --input-file=%t/one_row.out.mlir
// RUN: echo-run %t/one_row.mlir --device=interpreter --outputs=%t/one_row.npz --quiet
// RUN: echo-run %t/one_row.out.mlir --device=interpreter --expect=%t/one_row.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/outputs.mlir --device=cpu --outputs=%t/outputs.cpu.npz --quiet
// RUN: echo-run %t/outputs.mlir --device=cpu --echo=budget=min --expect=%t/outputs.cpu.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t/other_end.mlir --device=cpu --outputs=%t/other_end.cpu.npz --quiet
// RUN: echo-run %t/other_end.mlir --device=cpu --echo=budget=min --expect=%t/other_end.cpu.npz --rtol=0 --atol=0 --quiet
// RUN: echo-opt --reuse-arrays %t/equal.mlir -o %t/equal.out.mlir
// RUN: FileCheck %t/equal.mlir --input-file=%t/equal.out.mlir
// RUN: echo-run %t/equal.mlir --device=interpreter --outputs=%t/equal.npz --quiet
// RUN: echo-run %t/equal.out.mlir --device=interpreter --expect=%t/equal.npz --rtol=0 --atol=0 --quiet

//--- outputs.mlir
// The second loop reads the states, row k of which is row k - 1 of the outputs, or what the first loop began with: the outputs are all that is stacked.
// CHECK-LABEL: func.func @main
// CHECK:         %[[F:.*]]:3 = stablehlo.while(%{{.*}}, %{{.*}}, %{{.*}}) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>
// CHECK:           stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while(
// CHECK:           %[[K:.*]] = stablehlo.subtract
// CHECK:           %[[M:.*]] = stablehlo.maximum %[[K]],
// CHECK:           %[[P:.*]] = stablehlo.subtract %[[M]],
// CHECK:           %[[ROW:.*]] = stablehlo.dynamic_slice %[[F]]#2, %[[P]],
// CHECK:           %[[IS:.*]] = stablehlo.compare EQ, %[[K]],
// CHECK:           %[[EDGE:.*]] = stablehlo.reshape %arg1
// CHECK:           stablehlo.select %[[IS]], %[[EDGE]], %[[ROW]]
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- unsigned.mlir
// The same with an unsigned counter, which is never less than zero.
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.dynamic_update_slice
// CHECK-NOT:     stablehlo.dynamic_update_slice
// CHECK:         stablehlo.select
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %n = stablehlo.constant dense<8> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %last = stablehlo.constant dense<7> : tensor<ui32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<ui32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<ui32>
    %k = stablehlo.subtract %last, %i : tensor<ui32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<ui32>, tensor<ui32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<ui32>, tensor<ui32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<ui32>, tensor<ui32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<ui32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<ui32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<ui32>
    %k = stablehlo.subtract %last, %i : tensor<ui32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<ui32>, tensor<ui32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<ui32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- other_end.mlir
// The outputs stand from the last to the first: of iteration k, in row 7 - k.
// CHECK-LABEL: func.func @main
// CHECK:         %[[F:.*]]:3 = stablehlo.while
// CHECK:           stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while(
// CHECK:           %[[SUM:.*]] = stablehlo.constant dense<8> : tensor<i32>
// CHECK:           %[[P:.*]] = stablehlo.subtract %[[SUM]],
// CHECK:           stablehlo.dynamic_slice %[[F]]#2, %[[P]],
// CHECK:           stablehlo.select
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %k, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- before.mlir
// The outputs are what an iteration begins with, the second loop reads what it ends with: in the last one what the loop does.
// CHECK-LABEL: func.func @main
// CHECK:         %[[F:.*]]:3 = stablehlo.while
// CHECK:           stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK:         stablehlo.while(
// CHECK:           %[[EDGE:.*]] = stablehlo.reshape %[[F]]#1
// CHECK:           stablehlo.select %{{.*}}, %[[EDGE]],
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- twice.mlir
// One value, stacked twice.
// CHECK-LABEL: func.func @main
// CHECK:           stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.select
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %k, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- both_read.mlir
// Both stacks are asked for as they are.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2:   stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.select
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %g : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %f#2, %b#1 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
}

//--- one_row.mlir
// What is stacked is not what the loop carries on.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2:   stablehlo.dynamic_update_slice
// CHECK-NOT:       stablehlo.select
func.func @main(%x: tensor<8x16xf32>, %h0: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<7> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %f:4 = stablehlo.while(%i = %zero, %h = %h0, %s = %empty, %y = %empty) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %c = stablehlo.add %b, %h : tensor<16xf32>
    %g = stablehlo.tanh %c : tensor<16xf32>
    %r = stablehlo.reshape %h : (tensor<16xf32>) -> tensor<1x16xf32>
    %t = stablehlo.dynamic_update_slice %s, %r, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.reshape %c : (tensor<16xf32>) -> tensor<1x16xf32>
    %z = stablehlo.dynamic_update_slice %y, %q, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    stablehlo.return %j, %g, %t, %z : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %d = %h0) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %f#2, %k, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %c = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16xf32>
    %e = stablehlo.multiply %c, %d : tensor<16xf32>
    %g = stablehlo.subtract %e, %c : tensor<16xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<16xf32>
  }
  return %f#3, %b#1 : tensor<8x16xf32>, tensor<16xf32>
}

//--- equal.mlir
// Two counters and two sums that begin equal and go on equal are one; the third sum begins elsewhere, the fourth adds something else.
// CHECK-LABEL: func.func @main
// CHECK:         %[[F:.*]]:4 = stablehlo.while({{.*}}) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK:         return %[[F]]#0, %[[F]]#1, %[[F]]#1, %[[F]]#2, %[[F]]#3
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4xf32>
  %f:6 = stablehlo.while(%i = %zero, %k = %zero, %a = %none, %b = %none, %c = %x, %d = %none) : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %l = stablehlo.add %k, %one : tensor<i32>
    %a1 = stablehlo.add %a, %y : tensor<4xf32>
    %b1 = stablehlo.add %b, %y : tensor<4xf32>
    %c1 = stablehlo.add %c, %y : tensor<4xf32>
    %d1 = stablehlo.add %d, %b : tensor<4xf32>
    stablehlo.return %j, %l, %a1, %b1, %c1, %d1 : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %f#1, %f#2, %f#3, %f#4, %f#5 : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
