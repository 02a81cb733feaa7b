// Modules in modules, and casts.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:module @outer attributes {test.note = "kept"} {
// CHECK-NEXT:  module {
// CHECK-NEXT:  }
// CHECK-NEXT:  module @inner {
// CHECK-NEXT:    func.func private @f(i32)
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @cast(%arg0: i32) -> index {
// CHECK-NEXT:    %0 = builtin.unrealized_conversion_cast %arg0 : i32 to index
// CHECK-NEXT:    %1:2 = builtin.unrealized_conversion_cast %arg0, %arg0 : i32, i32 to i64, f32 {note}
// CHECK-NEXT:    return %0 : index
// CHECK-NEXT:  }
// CHECK-NEXT:}
module @outer attributes {test.note = "kept"} {
  builtin.module {
  }
  module @inner {
    func.func private @f(i32)
  }
  func.func @cast(%arg0: i32) -> index {
    %0 = "builtin.unrealized_conversion_cast"(%arg0) : (i32) -> index
    %1:2 = builtin.unrealized_conversion_cast %arg0, %arg0 : i32, i32 to i64, f32 {note}
    return %0 : index
  }
}
