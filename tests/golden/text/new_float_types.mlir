// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -

// Types that MLIR 19 does not know go through us alone.

"text.op"() {k = f4E2M1FN} : () -> ()
"text.op"() {k = f6E2M3FN} : () -> ()
"text.op"() {k = f6E3M2FN} : () -> ()
"text.op"() {k = f8E3M4} : () -> ()
"text.op"() {k = f8E8M0FNU} : () -> ()
"text.op"() {k = 1.5 : f4E2M1FN} : () -> ()
"text.op"() {k = 1.5 : f6E3M2FN} : () -> ()
"text.op"() {k = -3.5 : f6E2M3FN} : () -> ()
"text.op"() {k = 1.5 : f8E3M4} : () -> ()
"text.op"() {k = 2.0 : f8E8M0FNU} : () -> ()
"text.op"() {k = dense<[1.0, 1.5]> : tensor<2xf8E3M4>} : () -> ()
"text.op"() {k = tensor<4xf4E2M1FN>} : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f4E2M1FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f6E2M3FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f6E3M2FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E3M4} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = f8E8M0FNU} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = 1.500000e+00 : f4E2M1FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = 1.500000e+00 : f6E3M2FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = -3.500000e+00 : f6E2M3FN} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = 1.500000e+00 : f8E3M4} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = 2.000000e+00 : f8E8M0FNU} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = dense<[1.000000e+00, 1.500000e+00]> : tensor<2xf8E3M4>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {k = tensor<4xf4E2M1FN>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()

// upstream: LLVM 19 has no types of 4 and 6 bits
