// RUN: echo-translate --emit=llvm-raw --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=RAW
// RUN: echo-translate --cpu=skylake-avx512 %s | FileCheck %s --check-prefix=LLVM

module attributes {echo.stage = "loops"} {

// Memory of a task's own that registers cannot hold, 16 KB here, is filled and copied to and from by memset and memcpy: as far as elements lie side by
// side on both sides, which are all 4,096 of the fill, a row of the copy in, of which so many places are asked for as there are left, and two rows of
// the copy out.
// RAW-LABEL: define void @pieces.0
// RAW:         call void @llvm.memset.p0.i64(ptr align 4 {{.*}}, i8 0, i64 16384,
// RAW:       loop:
// RAW:         icmp slt i64 0, %[[SIZE:[0-9]+]]
// RAW:         call void @llvm.memcpy.p0.p0.i64(ptr align 4 {{.*}}, ptr align 4 {{.*}}, i64 512,
// RAW:         br i1 {{.*}}, label %task, label %done
// RAW:       some:
// RAW:         %[[PASSES:[0-9]+]] = sub nsw i64 %[[SIZE]], 0
// RAW:         %[[BYTES:[0-9]+]] = mul nsw i64 %[[PASSES]], 4
// RAW:         call void @llvm.memcpy.p0.p0.i64(ptr align 4 {{.*}}, ptr align 4 {{.*}}, i64 %[[BYTES]],
// RAW:         br i1 {{.*}}, label %loop, label %after, !llvm.loop ![[COPY:[0-9]+]]
func.func @pieces(%a: memref<64x100xf32>, %b: memref<50x2x64xf32>) attributes {kernel.kind = "map"} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c50 = arith.constant 50 : index
  "scf.parallel"(%c0, %c50, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    %memory = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64x64xf32>
    %size = "arith.minsi"(%task, %c64) : (index, index) -> index
    "scf.for"(%c0, %c64, %c1) ({
    ^bb0(%i: index):
      "scf.for"(%c0, %c64, %c1) ({
      ^bb0(%j: index):
        "memref.store"(%zero, %memory, %i, %j) : (f32, memref<64x64xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) {kernel.parallel} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%c0, %c64, %c1) ({
    ^bb0(%i: index):
      "scf.for"(%c0, %size, %c1) ({
      ^bb0(%j: index):
        %column = "arith.addi"(%task, %j) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %x = "memref.load"(%a, %i, %column) : (memref<64x100xf32>, index, index) -> f32
        "memref.store"(%x, %memory, %i, %j) : (f32, memref<64x64xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) {kernel.parallel} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%c0, %c2, %c1) ({
    ^bb0(%i: index):
      "scf.for"(%c0, %c64, %c1) ({
      ^bb0(%j: index):
        %x = "memref.load"(%memory, %i, %j) : (memref<64x64xf32>, index, index) -> f32
        "memref.store"(%x, %b, %task, %i, %j) : (f32, memref<50x2x64xf32>, index, index, index) -> ()
        "scf.yield"() : () -> ()
      }) {kernel.parallel} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// What does not lie side by side on both sides is a loop as before: columns are read across rows, every second element is written, and what is stored
// is one, not zero.
// RAW-LABEL: define void @strided.0
// RAW-NOT:     memcpy
// RAW-NOT:     memset
// RAW:         ret void
func.func @strided(%a: memref<64x64xf32>, %b: memref<50x64xf32>) attributes {kernel.kind = "map"} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c50 = arith.constant 50 : index
  "scf.parallel"(%c0, %c50, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    %memory = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64x64xf32>
    "scf.for"(%c0, %c64, %c1) ({
    ^bb0(%j: index):
      "memref.store"(%one, %memory, %c0, %j) : (f32, memref<64x64xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.for"(%c0, %c64, %c1) ({
    ^bb0(%j: index):
      %x = "memref.load"(%a, %j, %task) : (memref<64x64xf32>, index, index) -> f32
      "memref.store"(%x, %memory, %c1, %j) : (f32, memref<64x64xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.for"(%c0, %c32, %c1) ({
    ^bb0(%j: index):
      %k = "arith.muli"(%j, %c2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %x = "memref.load"(%memory, %c1, %j) : (memref<64x64xf32>, index, index) -> f32
      "memref.store"(%x, %b, %task, %k) : (f32, memref<50x64xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {kernel.parallel} : (index, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// Sums of vectors whose passes are more than LLVM unrolls are told to stay a loop; short ones are unrolled.
// RAW-LABEL: define void @sums.0
// RAW:         br i1 {{.*}}, !llvm.loop ![[LONG:[0-9]+]]
// LLVM-LABEL: define void @sums.0
// LLVM:         phi <16 x float>
// LLVM:         br i1 {{.*}}, label %loop, label %after
// LLVM-NOT:     label %loop
// LLVM:       declare
func.func @sums(%a: memref<8x192xf32>, %b: memref<50x192xf32>) attributes {kernel.kind = "map"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c50 = arith.constant 50 : index
  "scf.parallel"(%c0, %c50, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%task: index):
    %begin = "vector.load"(%b, %task, %c0) : (memref<50x192xf32>, index, index) -> vector<16xf32>
    %sum = "scf.for"(%c0, %c8, %c1, %begin) ({
    ^bb0(%i: index, %s0: vector<16xf32>):
      %x = "vector.load"(%a, %i, %c0) : (memref<8x192xf32>, index, index) -> vector<16xf32>
      %s1 = "math.fma"(%x, %x, %s0) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s2 = "math.fma"(%s1, %x, %s1) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s3 = "math.fma"(%s2, %x, %s2) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s4 = "math.fma"(%s3, %x, %s3) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s5 = "math.fma"(%s4, %x, %s4) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s6 = "math.fma"(%s5, %x, %s5) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s7 = "math.fma"(%s6, %x, %s6) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %s8 = "math.fma"(%s7, %x, %s7) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t1 = "math.fma"(%s8, %x, %s0) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t2 = "math.fma"(%t1, %x, %s1) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t3 = "math.fma"(%t2, %x, %s2) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t4 = "math.fma"(%t3, %x, %s3) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t5 = "math.fma"(%t4, %x, %s4) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t6 = "math.fma"(%t5, %x, %s5) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t7 = "math.fma"(%t6, %x, %s6) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %t8 = "math.fma"(%t7, %x, %s7) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %u1 = "math.fma"(%t8, %x, %s8) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %u2 = "math.fma"(%u1, %x, %t1) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      "scf.yield"(%u2) : (vector<16xf32>) -> ()
    }) : (index, index, index, vector<16xf32>) -> vector<16xf32>
    "vector.store"(%sum, %b, %task, %c0) : (vector<16xf32>, memref<50x192xf32>, index, index) -> ()
    %short = "scf.for"(%c0, %c8, %c1, %begin) ({
    ^bb0(%i: index, %s: vector<16xf32>):
      %x = "vector.load"(%a, %i, %c16) : (memref<8x192xf32>, index, index) -> vector<16xf32>
      %next = "math.fma"(%x, %x, %s) <{fastmath = #arith.fastmath<none>}> : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      "scf.yield"(%next) : (vector<16xf32>) -> ()
    }) : (index, index, index, vector<16xf32>) -> vector<16xf32>
    "vector.store"(%short, %b, %task, %c16) : (vector<16xf32>, memref<50x192xf32>, index, index) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
}
// RAW: ![[COPY]] = distinct !{![[COPY]], ![[OFF:[0-9]+]]}
// RAW: ![[LONG]] = distinct !{![[LONG]], ![[OFF]]}
