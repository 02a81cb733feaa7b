// A value that is written early and read late goes to the host in between: out behind its last use, its place free once the
// copy is waited for; back into a place of its own, which later uses and views take, before the next use.
// RUN: echo-opt %s --pass-pipeline="builtin.module(swap{limit=49152},plan-memory,verify-plan)" | FileCheck %s
// RUN: echo-opt %s --pass-pipeline="builtin.module(swap{limit=56KiB},plan-memory,verify-plan)" | FileCheck %s --check-prefix=ROOM
// RUN: not echo-opt %s --pass-pipeline="builtin.module(swap{limit=20000})" 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: not echo-opt %s --pass-pipeline="builtin.module(swap{limit=49152},swap{limit=49152})" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not echo-opt %s --pass-pipeline="builtin.module(swap{limit=much})" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not echo-opt %s --pass-pipeline="builtin.module(swap{limit=1M device=none})" 2>&1 | FileCheck %s --check-prefix=DEVICE

// CHECK: plan.host_bytes = 8192
// CHECK-SAME: plan.peak_bytes = 49152
// CHECK: %[[KEPT:.*]] = "plan.buffer"
// CHECK: "plan.copy"(%arg0, %[[KEPT]])
// CHECK-NEXT: %[[OUT:.*]] = "plan.swap_out"(%[[KEPT]]) <{host_offset = 0 : i64}> : (memref<2048xf32>) -> !plan.event
// CHECK: "plan.wait"(%[[OUT]])
// CHECK: %[[BACK:.*]] = "plan.buffer"
// CHECK-NEXT: %[[VIEW:.*]] = "plan.view"(%[[BACK]])
// CHECK-NEXT: %[[IN:.*]] = "plan.swap_in"(%[[BACK]]) <{host_offset = 0 : i64}>
// CHECK: "plan.wait"(%[[IN]])
// CHECK-NEXT: "plan.copy"(%[[VIEW]],
// CHECK-NEXT: "plan.copy"(%[[BACK]],
// CHECK-NEXT: return
// ROOM: module
// ROOM-NOT: plan.swap_out
// LITTLE: swap.mlir:[[#]]:3: error: 'func.func' op cannot be brought below the limit by swapping: the smallest possible one is 49152 bytes
// TWICE: error: 'plan.swap_out' op is there already: buffers are swapped once
// LIMIT: error: limit is a number of bytes, not 'much'
// DEVICE: error: device model 'none'
module attributes {echo.stage = "planned"} {
  func.func @main(%x: memref<2048xf32>, %out: memref<2048xf32> {plan.result = 0 : i64}) {
    %arena = "plan.arena"() <{alignment = 64 : i64, size_bytes = 0 : i64}> : () -> memref<0xi8>
    %big = "plan.constant"() <{value = dense<1.0> : tensor<4096xf32>}> : () -> memref<4096xf32>
    %kept = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<2048xf32>
    "plan.copy"(%x, %kept) : (memref<2048xf32>, memref<2048xf32>) -> ()
    "plan.copy"(%x, %out) : (memref<2048xf32>, memref<2048xf32>) -> ()
    %a = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<4096xf32>
    "plan.copy"(%big, %a) : (memref<4096xf32>, memref<4096xf32>) -> ()
    "plan.copy"(%a, %a) : (memref<4096xf32>, memref<4096xf32>) -> ()
    "plan.copy"(%x, %out) : (memref<2048xf32>, memref<2048xf32>) -> ()
    %view = "plan.view"(%kept) : (memref<2048xf32>) -> memref<32x64xf32>
    %wide = "plan.view"(%out) : (memref<2048xf32>) -> memref<32x64xf32>
    "plan.copy"(%view, %wide) : (memref<32x64xf32>, memref<32x64xf32>) -> ()
    "plan.copy"(%kept, %out) : (memref<2048xf32>, memref<2048xf32>) -> ()
    return
  }
}
