// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// The resource section: blobs that are referred to, in that order, and all else as it is.

"text.op"() {a = dense_resource<second> : tensor<3xi64>, b = dense_resource<first> : tensor<3xi64>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      first: "0x08000000010000000000000002000000000000000300000000000000",
      second: "0x08000000040000000000000005000000000000000600000000000000",
      unused: "0x0100000001"
    }
  },
  external_resources: {
    text: { flag: true, name: "s", blob: "0x0100000001" }
  }
#-}

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {a = dense_resource<second> : tensor<3xi64>, b = dense_resource<first> : tensor<3xi64>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
// CHECK-EMPTY:
// CHECK-NEXT{LITERAL}:{-#
// CHECK-NEXT{LITERAL}:  dialect_resources: {
// CHECK-NEXT{LITERAL}:    builtin: {
// CHECK-NEXT{LITERAL}:      second: "0x08000000040000000000000005000000000000000600000000000000",
// CHECK-NEXT{LITERAL}:      first: "0x08000000010000000000000002000000000000000300000000000000"
// CHECK-NEXT{LITERAL}:    }
// CHECK-NEXT{LITERAL}:  },
// CHECK-NEXT{LITERAL}:  external_resources: {
// CHECK-NEXT{LITERAL}:    text: {
// CHECK-NEXT{LITERAL}:      flag: true,
// CHECK-NEXT{LITERAL}:      name: "s",
// CHECK-NEXT{LITERAL}:      blob: "0x0100000001"
// CHECK-NEXT{LITERAL}:    }
// CHECK-NEXT{LITERAL}:  }
// CHECK-NEXT{LITERAL}:#-}
