// RUN: not echo-opt %s --allow-unregistered-dialect --emit-bytecode -o %t.bc 2>&1 | FileCheck %s
// Bytecode holds a dialect and what stands behind the point: with nothing there, "text." was read back as "text".
// CHECK: name_ends_in_point.mlir:[[@LINE+1]]:1: error: 'text.' op has a name that only text can hold
"text."() : () -> ()
