// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Unit, lists and dictionaries.

"text.op"() {k = unit} : () -> ()
"text.op"() {k = []} : () -> ()
"text.op"() {k = [1, 2 : i8, "x", [3.0]]} : () -> ()
"text.op"() {k = {}} : () -> ()
"text.op"() {k = {a = 1, b, "c d" = 2, "1x" = 3}} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = []} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = [1, 2 : i8, "x", [3.000000e+00]]} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = {}} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = {"1x" = 3 : i64, a = 1 : i64, b, "c d" = 2 : i64}} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
