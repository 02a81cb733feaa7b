// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Blocks: arguments, successors, and the comment that lists predecessors.

"text.cfg"() ({
^entry(%a: i32, %b: f32):
  "text.br"(%a)[^loop, ^done] : (i32) -> ()
^loop(%x: i32):
  %y = "text.def"(%x) : (i32) -> i32
  "text.br"(%y)[^loop] : (i32) -> ()
^done(%z: i32, %w: f32):
  "text.br"(%z)[^loop, ^loop] : (i32) -> ()
^nowhere:
  "text.done"() : () -> ()
}) : () -> ()
"text.unnamed_entry"() ({
  "text.br"()[^next] : () -> ()
^next:
  "text.done"() : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.cfg"() ({
// CHECK-NEXT{LITERAL}:  ^bb0(%arg0: i32, %arg1: f32):
// CHECK-NEXT{LITERAL}:    "text.br"(%arg0)[^bb1, ^bb2] : (i32) -> ()
// CHECK-NEXT{LITERAL}:  ^bb1(%0: i32):  // 4 preds: ^bb0, ^bb1, ^bb2, ^bb2
// CHECK-NEXT{LITERAL}:    %1 = "text.def"(%0) : (i32) -> i32
// CHECK-NEXT{LITERAL}:    "text.br"(%1)[^bb1] : (i32) -> ()
// CHECK-NEXT{LITERAL}:  ^bb2(%2: i32, %3: f32):  // pred: ^bb0
// CHECK-NEXT{LITERAL}:    "text.br"(%2)[^bb1, ^bb1] : (i32) -> ()
// CHECK-NEXT{LITERAL}:  ^bb3:  // no predecessors
// CHECK-NEXT{LITERAL}:    "text.done"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:  "text.unnamed_entry"() ({
// CHECK-NEXT{LITERAL}:    "text.br"()[^bb1] : () -> ()
// CHECK-NEXT{LITERAL}:  ^bb1:  // pred: ^bb0
// CHECK-NEXT{LITERAL}:    "text.done"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
