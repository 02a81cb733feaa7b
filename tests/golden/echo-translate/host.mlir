// RUN: echo-translate %s | FileCheck %s --check-prefix=LLVM
// RUN: echo-translate --emit=llvm-raw --cpu=x86-64-v3 %s | FileCheck %s --check-prefix=RAW
// RUN: echo-translate --emit=asm --cpu=skylake-avx512 --features=+prefer-256-bit %s | FileCheck %s --check-prefix=ASM
// RUN: echo-translate --emit=obj %s -o %t.o && llvm-readelf-19 -h %t.o | FileCheck %s --check-prefix=OBJ
// RUN: not echo-translate --emit=poem %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not echo-translate --emit=obj --target=sm_80 %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not echo-translate %t.nothing 2>&1 | FileCheck %s --check-prefix=MISSING

// RUN: not echo-translate --emit=ptx --target=sm_999 %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not echo-translate --emit=ptx --target=sm_ %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: echo-translate: error: --target: '{{sm_999|sm_}}' is no target: cpu, sm_75, sm_80, sm_86, sm_87, sm_89 and sm_90 are
// LLVM: define void @add.0(ptr {{.*}}, i64 %1, i64 %2)
// LLVM: fadd <{{[0-9]+}} x float>
// One task is no loop over tasks: what stands in it has constant bounds.
// RAW-LABEL: define void @add.0
// RAW-NOT: task:
// RAW:  load float, ptr {{.*}}, align 4, !llvm.access.group
// RAW-LABEL: define void @many.0
// RAW:  task:
// RAW:  !"llvm.loop.parallel_accesses"
// ASM:  vaddps
// OBJ:  REL (Relocatable file)
// KIND: --emit=poem is unknown
// TARGET: --target=sm_80 has no assembly or object of its own: ask for --emit=ptx
// MISSING: error:
"kernel.func"() <{sym_name = "add", kind = "map", function_type = (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>}> ({
^bb0(%a: tensor<1000xf32>, %b: tensor<1000xf32>):
  %0 = stablehlo.add %a, %b : tensor<1000xf32>
  "kernel.return"(%0) : (tensor<1000xf32>) -> ()
}) : () -> ()
"kernel.func"() <{sym_name = "many", kind = "map", function_type = (tensor<1000000xf32>) -> tensor<1000000xf32>}> ({
^bb0(%a: tensor<1000000xf32>):
  %0 = stablehlo.negate %a : tensor<1000000xf32>
  "kernel.return"(%0) : (tensor<1000000xf32>) -> ()
}) : () -> ()
