// RUN: echo-opt %s --allow-unregistered-dialect --emit-bytecode -o %t.bc
// RUN: echo-opt %t.bc --allow-unregistered-dialect | FileCheck %s
// RUN: mlir-opt-19 %t.bc --allow-unregistered-dialect | FileCheck %s
// RUN: mlir-opt-19 %s --allow-unregistered-dialect --emit-bytecode -o %t.upstream.bc
// RUN: echo-opt %t.upstream.bc --allow-unregistered-dialect | FileCheck %s
// In bytecode such an op is of a dialect without a name, which was not read back.
// CHECK: ".text"() : () -> ()
".text"() : () -> ()
