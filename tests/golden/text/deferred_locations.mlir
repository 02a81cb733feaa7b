// Locations that are put off to the end of the file are written out in properties, where no alias of them could be read.
// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo > %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic > /dev/null %}

// CHECK: "text.op"() <{a = loc("z"), b = [loc(callsite("q" at "z"))]}> : () -> () loc(#[[Q:loc[0-9]+]])
// CHECK: "text.op"() : () -> () loc(#[[Z:loc[0-9]+]])
// CHECK: #[[Z]] = loc("z")
// CHECK: #[[Q]] = loc(callsite(#{{loc[0-9]+}} at #[[Z]]))
"text.op"() <{a = loc("z"), b = [loc(callsite("q" at "z"))]}> : () -> () loc(callsite("q" at "z"))
"text.op"() : () -> () loc("z")
