// RUN: echo-translate --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=LLVM
// RUN: echo-translate --emit=llvm-raw %s | FileCheck %s --check-prefix=RAW
// RUN: echo-translate --emit=asm --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=ASM

module attributes {echo.stage = "loops"} {

// What goes into a loop's next pass is frozen once all passes have run, so that strength reduction takes no time on it: the index of the vectors'
// loop and that of the tasks'. Not what a loop carries beside its index. The address is still an array's and an index, in one operand.
// LLVM-LABEL: define void @scaled.0
// LLVM:         %[[I:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[FROZEN:.*]], %{{.*}} ]
// LLVM:         %[[NEXT:.*]] = add nuw i64 %[[I]], {{[0-9]+}}
// LLVM:         %[[FROZEN]] = freeze i64 %[[NEXT]]
// LLVM:         freeze i64
// LLVM-NOT:     freeze
// RAW-NOT:      freeze
// ASM-LABEL:  scaled.0:
// ASM:          vmulps ({{%r.*}},{{%r.*}},4), %{{[xyz]}}mm
func.func @scaled(%a: memref<64x4096xf32>, %b: memref<64x4096xf32>) attributes {kernel.kind = "map"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %scale = arith.constant 3.0 : f32
  "scf.parallel"(%c0, %c64, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    "scf.for"(%c0, %c4096, %c1) ({
    ^bb0(%j: index):
      %x = "memref.load"(%a, %task, %j) : (memref<64x4096xf32>, index, index) -> f32
      %y = "arith.mulf"(%x, %scale) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%y, %b, %task, %j) : (f32, memref<64x4096xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
}
