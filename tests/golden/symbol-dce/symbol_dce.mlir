// RUN: echo-opt %s --symbol-dce --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: module
// CHECK-NOT:     @unused
// CHECK-NOT:     @dead
// CHECK:         func.func private @used
// CHECK:         func.func private @deep
// CHECK:         func.func private @named
// CHECK:         func.func private @in_text
// CHECK:         func.func @main
// CHECK:         func.func @public
module {
  func.func private @unused()
  func.func private @dead_a() {
    call @dead_b() : () -> ()
    return
  }
  func.func private @dead_b() {
    call @dead_a() : () -> ()
    return
  }
  func.func private @used() {
    call @deep() : () -> ()
    return
  }
  func.func private @deep()
  func.func private @named()
  func.func private @in_text()
  func.func @main() {
    call @used() : () -> ()
    "test.op"() {refs = [{where = @named}], kept = #some.ref<@in_text>} : () -> ()
    return
  }
  func.func @public() {
    return
  }
}

// -----

// Each table by itself.
// CHECK-LABEL: module
// CHECK:         module @inner
// CHECK-NEXT:      func.func private @used
// CHECK-NOT:       func.func private
module {
  module @inner {
    func.func private @used()
    func.func private @dead()
    func.func @main() {
      call @used() : () -> ()
      return
    }
  }
}
