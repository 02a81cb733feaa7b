// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Values used before their definition, in graph regions and across blocks.

"builtin.module"() ({
  "text.use"(%later#1, %later, %alone) : (f32, i32, i64) -> ()
  %later:2, %alone = "text.def"() : () -> (i32, f32, i64)
}) : () -> ()
"text.cfg"() ({
  "text.br"()[^second] : () -> ()
^first:
  "text.use"(%v) : (i32) -> ()
^second:
  %v = "text.def"() : () -> i32
  "text.br"()[^first] : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "builtin.module"() ({
// CHECK-NEXT{LITERAL}:    "text.use"(%1#1, %1#0, %1#2) : (f32, i32, i64) -> ()
// CHECK-NEXT{LITERAL}:    %1:3 = "text.def"() : () -> (i32, f32, i64)
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:  "text.cfg"() ({
// CHECK-NEXT{LITERAL}:    "text.br"()[^bb2] : () -> ()
// CHECK-NEXT{LITERAL}:  ^bb1:  // pred: ^bb2
// CHECK-NEXT{LITERAL}:    "text.use"(%0) : (i32) -> ()
// CHECK-NEXT{LITERAL}:  ^bb2:  // pred: ^bb0
// CHECK-NEXT{LITERAL}:    %0 = "text.def"() : () -> i32
// CHECK-NEXT{LITERAL}:    "text.br"()[^bb1] : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
