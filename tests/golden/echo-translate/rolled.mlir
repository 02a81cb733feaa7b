// RUN: echo-translate --emit=llvm-raw --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=RAW
// RUN: echo-translate --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=LLVM

module attributes {echo.stage = "loops"} {

// What a loop that stays as it is goes through is filled by a loop, not by a store for each of its vectors: 448 elements are 28 vectors of a
// register, though the 7 passes of the outer loop and the 4 vectors of the inner one are few each. So is the loop over tasks told not to be unrolled.
// RAW-LABEL: define void @staged.0
// RAW:         store float 0.0
// RAW:         br i1 {{.*}}, !llvm.loop ![[FILL:[0-9]+]]
// RAW:         br i1 {{.*}}, label %task, label %done, !llvm.loop ![[TASKS:[0-9]+]]
// LLVM-LABEL: define void @staged.0
// LLVM:         store <{{8|16}} x float>
// LLVM-NOT:     store <{{8|16}} x float>
func.func @staged(%a: memref<50x64xf32>, %b: memref<50xf32>) attributes {kernel.kind = "map"} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %c50 = arith.constant 50 : index
  "scf.parallel"(%c0, %c50, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    %memory = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<7x64xf32>
    "scf.for"(%c0, %c7, %c1) ({
    ^bb0(%i: index):
      "scf.for"(%c0, %c64, %c1) ({
      ^bb0(%j: index):
        "memref.store"(%zero, %memory, %i, %j) : (f32, memref<7x64xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) {kernel.parallel} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %last = "scf.for"(%c0, %task, %c1, %zero) ({
    ^bb0(%i: index, %x: f32):
      %row = "arith.remui"(%i, %c7) : (index, index) -> index
      %element = "memref.load"(%memory, %row, %i) : (memref<7x64xf32>, index, index) -> f32
      %next = "arith.addf"(%x, %element) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%next, %memory, %row, %i) : (f32, memref<7x64xf32>, index, index) -> ()
      "scf.yield"(%next) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    "memref.store"(%last, %b, %task) : (f32, memref<50xf32>, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// A loop of few passes that moves what an array outside holds is unrolled.
// RAW-LABEL: define void @short.0
// LLVM-LABEL: define void @short.0
// LLVM-NOT:    phi
// LLVM:         ret void
func.func @short(%a: memref<3xi8>, %b: memref<3xi8>) attributes {kernel.kind = "map"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  "scf.parallel"(%c0, %c1, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    "scf.for"(%c0, %c3, %c1) ({
    ^bb0(%j: index):
      %x = "memref.load"(%a, %j) : (memref<3xi8>, index) -> i8
      "memref.store"(%x, %b, %j) : (i8, memref<3xi8>, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// 512 elements, of each a pass of more than a few operations, are more than LLVM unrolls: the loop of their vectors stays one, of several vectors a pass.
// RAW-LABEL: define void @long.0
// RAW:         br i1 {{.*}}, !llvm.loop ![[LONG:[0-9]+]]
// LLVM-LABEL: define void @long.0
// LLVM-COUNT-4: fmul <{{8|16}} x float>
// LLVM-NOT:     fmul
// LLVM:         icmp eq i64 %{{.*}}, 512
func.func @long(%a: memref<512xf32>, %b: memref<512xf32>, %c: memref<512xf32>) attributes {kernel.kind = "map"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  "scf.parallel"(%c0, %c1, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    "scf.for"(%c0, %c512, %c1) ({
    ^bb0(%j: index):
      %x = "memref.load"(%a, %j) : (memref<512xf32>, index) -> f32
      %y = "memref.load"(%b, %j) : (memref<512xf32>, index) -> f32
      %product = "arith.mulf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %sum = "arith.addf"(%product, %y) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%sum, %c, %j) : (f32, memref<512xf32>, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
}
// RAW: ![[FILL]] = distinct !{![[FILL]], {{.*}}, ![[OFF:[0-9]+]]}
// RAW: ![[OFF]] = !{!"llvm.loop.unroll.disable"}
// RAW: ![[TASKS]] = distinct !{![[TASKS]], ![[OFF]]}
// RAW: ![[LONG]] = distinct !{![[LONG]], {{.*}}, ![[VECTORS:[0-9]+]]}
// RAW: ![[VECTORS]] = !{!"llvm.loop.vectorize.followup_all", ![[OFF]]}
