// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// A region of one block in an op without a row may be a graph region: definitions stand anywhere. Of several blocks each use follows its definition, but in blocks that nothing reaches.

"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "text.graph"() ({
    %0 = "text.use"(%1, %2) : (i32, i32) -> i64
    %1 = "text.self"(%1) : (i32) -> i32
    %2 = "text.outer"() ({
      "text.inner"(%2, %0) : (i32, i64) -> ()
    }) : () -> i32
  }) : () -> ()
  "text.blocks"() ({
    "text.br"()[^bb2] : () -> ()
  ^bb1:
    "text.use"(%3) : (i32) -> ()
    %3 = "text.late"(%3) : (i32) -> i32
    "text.use"(%4) : (i32) -> ()
    "text.br"()[^bb2] : () -> ()
  ^bb2:
    %4 = "text.def"() : () -> i32
    "text.end"(%4) : (i32) -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
// CHECK-NEXT{LITERAL}:    "text.graph"() ({
// CHECK-NEXT{LITERAL}:      %2 = "text.use"(%3, %4) : (i32, i32) -> i64
// CHECK-NEXT{LITERAL}:      %3 = "text.self"(%3) : (i32) -> i32
// CHECK-NEXT{LITERAL}:      %4 = "text.outer"() ({
// CHECK-NEXT{LITERAL}:        "text.inner"(%4, %2) : (i32, i64) -> ()
// CHECK-NEXT{LITERAL}:      }) : () -> i32
// CHECK-NEXT{LITERAL}:    }) : () -> ()
// CHECK-NEXT{LITERAL}:    "text.blocks"() ({
// CHECK-NEXT{LITERAL}:      "text.br"()[^bb2] : () -> ()
// CHECK-NEXT{LITERAL}:    ^bb1:  // no predecessors
// CHECK-NEXT{LITERAL}:      "text.use"(%0) : (i32) -> ()
// CHECK-NEXT{LITERAL}:      %0 = "text.late"(%0) : (i32) -> i32
// CHECK-NEXT{LITERAL}:      "text.use"(%1) : (i32) -> ()
// CHECK-NEXT{LITERAL}:      "text.br"()[^bb2] : () -> ()
// CHECK-NEXT{LITERAL}:    ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT{LITERAL}:      %1 = "text.def"() : () -> i32
// CHECK-NEXT{LITERAL}:      "text.end"(%1) : (i32) -> ()
// CHECK-NEXT{LITERAL}:    }) : () -> ()
// CHECK-NEXT{LITERAL}:    "func.return"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
