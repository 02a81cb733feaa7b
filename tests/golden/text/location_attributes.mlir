// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Locations as attributes are printed by their aliases.

"text.op"() {k = loc(unknown)} : () -> ()
"text.op"() {k = loc("f.mlir":1:2)} : () -> ()
"text.op"() {k = loc("name")} : () -> ()
"text.op"() {k = loc("name"("f.mlir":1:2))} : () -> ()
"text.op"() {k = loc(callsite("a" at "f":1:2))} : () -> ()
"text.op"() {k = loc(fused["a", "b"])} : () -> ()
"text.op"() {k = loc(fused<"meta">["a", "b":1:2])} : () -> ()
"text.op"() {k = loc(fused["a"])} : () -> ()
"text.op"() {k = loc(fused["a", "a"])} : () -> ()
"text.op"() {k = loc(fused[])} : () -> ()
"text.op"() {k = loc(fused["a", unknown])} : () -> ()
"text.op"() {k = loc(fused["a", fused["b", "c"]])} : () -> ()
"text.op"() {k = loc("name"(unknown))} : () -> ()

//      CHECK{LITERAL}:#loc = loc(unknown)
// CHECK-NEXT{LITERAL}:#loc1 = loc("f.mlir":1:2)
// CHECK-NEXT{LITERAL}:#loc2 = loc("name")
// CHECK-NEXT{LITERAL}:#loc3 = loc("a")
// CHECK-NEXT{LITERAL}:#loc4 = loc("f":1:2)
// CHECK-NEXT{LITERAL}:#loc5 = loc("b")
// CHECK-NEXT{LITERAL}:#loc6 = loc("b":1:2)
// CHECK-NEXT{LITERAL}:#loc7 = loc("c")
// CHECK-NEXT{LITERAL}:#loc8 = loc("name"(#loc1))
// CHECK-NEXT{LITERAL}:#loc9 = loc(callsite(#loc3 at #loc4))
// CHECK-NEXT{LITERAL}:#loc10 = loc(fused[#loc3, #loc5])
// CHECK-NEXT{LITERAL}:#loc11 = loc(fused<"meta">[#loc3, #loc6])
// CHECK-NEXT{LITERAL}:#loc12 = loc(fused[#loc3, #loc5, #loc7])
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc1} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc2} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc8} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc9} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc10} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc11} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc3} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc12} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = #loc2} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
