// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Results in groups.

%0:3 = "text.three"() : () -> (i32, f32, i64)
"text.use"(%0#2, %0#0, %0) : (i64, i32, i32) -> ()
%a, %b:2 = "text.three"() : () -> (i32, f32, i64)
"text.use"(%b#1, %a, %b#0) : (i64, i32, f32) -> ()
%f = "text.function"() : () -> ((i32) -> i32)
%g:2 = "text.functions"() : () -> (() -> (), () -> i32)
"text.unnamed"() : () -> (i32, i32)

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  %0:3 = "text.three"() : () -> (i32, f32, i64)
// CHECK-NEXT{LITERAL}:  "text.use"(%0#2, %0#0, %0#0) : (i64, i32, i32) -> ()
// CHECK-NEXT{LITERAL}:  %1:3 = "text.three"() : () -> (i32, f32, i64)
// CHECK-NEXT{LITERAL}:  "text.use"(%1#2, %1#0, %1#1) : (i64, i32, f32) -> ()
// CHECK-NEXT{LITERAL}:  %2 = "text.function"() : () -> ((i32) -> i32)
// CHECK-NEXT{LITERAL}:  %3:2 = "text.functions"() : () -> (() -> (), () -> i32)
// CHECK-NEXT{LITERAL}:  %4:2 = "text.unnamed"() : () -> (i32, i32)
// CHECK-NEXT{LITERAL}:}) : () -> ()
