// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-local-scope --mlir-print-debuginfo > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-local-scope --mlir-print-debuginfo | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-local-scope --mlir-print-debuginfo | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic --mlir-print-local-scope --mlir-print-debuginfo | diff - %t.1 %}

// A local scope: no aliases, no resource section, no empty line behind it.

"text.op"() {a = affine_map<(d0) -> (d0)>, b = dense_resource<key> : tensor<1xi64>} : () -> () loc("x")

{-#
  dialect_resources: {
    builtin: {
      key: "0x080000000100000000000000"
    }
  }
#-}

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {a = affine_map<(d0) -> (d0)>, b = dense_resource<key> : tensor<1xi64>} : () -> () loc("x")
// CHECK-NEXT:}) : () -> () loc("{{.*}}local_scope.mlir":0:0)
