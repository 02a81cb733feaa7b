// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo > %t.1
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff - %t.1 %}

// Trailing locations: aliases defined before or behind their use, and where MLIR puts them.

#early = loc("early":1:2)
"text.op"() : () -> () loc(#early)
"text.op"() : () -> () loc(#late)
"text.op"() : () -> () loc(callsite("callee"("f":1:2) at fused<"meta">["g":3:4, "h"]))
"text.region"() ({
^bb0(%a: i32 loc("argument"), %b: i32 loc("f":7:8)):
  %0 = "text.op"(%a) : (i32) -> i32 loc(unknown)
}) : () -> () loc("region"(#early))
"text.op"() {k = loc("attribute")} : () -> () loc(fused[#early, "x"])
#late = loc("late":5:6)

