// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Names of ops and attributes that need quotes.

"text.op with blanks"() : () -> ()
"text.op"() {"a b" = 1 : i32, "1" = 2 : i32, _x = 3 : i32, a.b.c = 4 : i32, a$b = 5 : i32} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op with blanks"() : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {"1" = 2 : i32, _x = 3 : i32, "a b" = 1 : i32, a$b = 5 : i32, a.b.c = 4 : i32} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
