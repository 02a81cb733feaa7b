// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Types inside the text of MLIR's dialects.

!s = !llvm.struct<"list", (ptr, i32)>
!long = tuple<i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1>
%0 = "text.op"() {a = !llvm.array<4 x struct<"list", (ptr, i32)>>} : () -> !s
%1 = "text.op"() : () -> !async.value<!long>
%2 = "text.op"() : () -> !llvm.struct<"outer", (struct<"list", (ptr, i32)>, array<2 x struct<"list", (ptr, i32)>>)>

//      CHECK{LITERAL}:!tuple = tuple<i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  %0 = "text.op"() {a = !llvm.array<4 x struct<"list", (ptr, i32)>>} : () -> !llvm.struct<"list", (ptr, i32)>
// CHECK-NEXT{LITERAL}:  %1 = "text.op"() : () -> !async.value<!tuple>
// CHECK-NEXT{LITERAL}:  %2 = "text.op"() : () -> !llvm.struct<"outer", (struct<"list", (ptr, i32)>, array<2 x struct<"list", (ptr, i32)>>)>
// CHECK-NEXT{LITERAL}:}) : () -> ()
