// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Regions, nested and side by side, and their numbering: one count over the module, the last sibling first.

"text.outer"() ({
  %0 = "text.x"() : () -> i32
  "text.nest"() ({
    %1 = "text.y"(%0) : (i32) -> i32
    "text.nest"() ({
      %2 = "text.z"(%1) : (i32) -> i32
    }, {
      %3 = "text.z"(%1) : (i32) -> i32
    }) : () -> ()
    %4 = "text.y"(%0) : (i32) -> i32
  }, {
    %5 = "text.y"(%0) : (i32) -> i32
  }) : () -> ()
}) : () -> ()
"text.empty"() ({}) : () -> ()
"text.empty"() ({}, {}) {k} : () -> ()
"text.empty_block"() ({
^bb0:
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.outer"() ({
// CHECK-NEXT{LITERAL}:    %0 = "text.x"() : () -> i32
// CHECK-NEXT{LITERAL}:    "text.nest"() ({
// CHECK-NEXT{LITERAL}:      %2 = "text.y"(%0) : (i32) -> i32
// CHECK-NEXT{LITERAL}:      "text.nest"() ({
// CHECK-NEXT{LITERAL}:        %5 = "text.z"(%2) : (i32) -> i32
// CHECK-NEXT{LITERAL}:      }, {
// CHECK-NEXT{LITERAL}:        %4 = "text.z"(%2) : (i32) -> i32
// CHECK-NEXT{LITERAL}:      }) : () -> ()
// CHECK-NEXT{LITERAL}:      %3 = "text.y"(%0) : (i32) -> i32
// CHECK-NEXT{LITERAL}:    }, {
// CHECK-NEXT{LITERAL}:      %1 = "text.y"(%0) : (i32) -> i32
// CHECK-NEXT{LITERAL}:    }) : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:  "text.empty"() ({
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:  "text.empty"() ({
// CHECK-NEXT{LITERAL}:  }, {
// CHECK-NEXT{LITERAL}:  }) {k} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.empty_block"() ({
// CHECK-NEXT{LITERAL}:  ^bb0:
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
