// What mlir-opt writes in each version of the format is read as its text, places included.
// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --mlir-print-op-generic --mlir-print-debuginfo -o %t.mlir
// RUN: echo-opt --allow-unregistered-dialect %t.mlir --mlir-print-debuginfo -o %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=0 -o %t.0.bc
// RUN: echo-opt --allow-unregistered-dialect %t.0.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=1 -o %t.1.bc
// RUN: echo-opt --allow-unregistered-dialect %t.1.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=2 -o %t.2.bc
// RUN: echo-opt --allow-unregistered-dialect %t.2.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=3 -o %t.3.bc
// RUN: echo-opt --allow-unregistered-dialect %t.3.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=4 -o %t.4.bc
// RUN: echo-opt --allow-unregistered-dialect %t.4.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=5 -o %t.5.bc
// RUN: echo-opt --allow-unregistered-dialect %t.5.bc --mlir-print-debuginfo | cmp - %t.text
// RUN: mlir-opt-19 --allow-unregistered-dialect %s --emit-bytecode -o %t.bc
// RUN: echo-opt --allow-unregistered-dialect %t.bc --mlir-print-debuginfo | cmp - %t.text

module @all attributes {other.s = "text", other.i = 7 : i8, other.wide = 123456789012345678901234567890 : i128,
                        other.f = 2.5 : f16, other.f8 = 1.5 : f8E4M3FN, other.f128 = 1.0 : f128, other.u, other.b = true,
                        other.d = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, other.splat = dense<1.0> : tensor<4xf32>,
                        other.bits = dense<[true, false, true]> : tensor<3xi1>, other.all = dense<true> : tensor<100xi1>,
                        other.c = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, other.a = array<i32: 1, 2>,
                        other.flags = array<i1: true, false>, other.map = affine_map<(d0)[s0] -> (d0 + s0)>,
                        other.symbol = @main::@nested, other.type = tensor<*xf32>, other.opaque = #other.x<y>,
                        other.list = [1, {a = 2 : i32}], other.resource = dense_resource<blob> : tensor<2xi8>,
                        other.sparse = sparse<[[0, 1]], [5]> : tensor<2x2xi32>, other.layout = strided<[2, 1], offset: 3>,
                        other.strings = dense<["a", "b"]> : tensor<2x!other.string>,
                        other.more = tuple<i1, vector<[4]xf32>, memref<2x?xf32, 3>, memref<*xi8>, () -> none, index>} {
  func.func private @declared(tensor<4x?xf32>, i1) -> (tensor<4x?xf32> {other.result = 3 : i32})
  func.func @main(%x: i32 loc("argument"("here":3:4)), %n: index) -> i32 {
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %c1 = arith.constant 1 : index
    %c = arith.constant 7 : i32
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (i32) {
      %y = arith.addi %acc, %c overflow<nsw> : i32 loc(fused<"why">["a", callsite("b" at "c":1:2)])
      %z = arith.muli %y, %acc : i32
      scf.yield %z : i32
    }
    %t = arith.cmpi slt, %s, %c : i32
    %q = scf.if %t -> (i32) {
      scf.yield %s : i32
    } else {
      %r = "other.op"(%c, %s) ({
      ^bb0:
        "other.jump"()[^bb1] : () -> ()
      ^bb1:
        "other.end"() : () -> ()
      }, {}) {other.a = 1 : i64} : (i32, i32) -> i32
      scf.yield %r : i32
    }
    return %q : i32
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x01000000AB10"
    }
  }
#-}
