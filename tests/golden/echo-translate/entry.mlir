// One function is a program's: main, or the one that --entry names. Others beside it are no error.
// RUN: echo-translate %s --emit=llvm-raw | FileCheck %s --check-prefix=MAIN
// RUN: echo-translate %s --emit=llvm-raw --entry=absolute | FileCheck %s --check-prefix=OTHER
// RUN: echo-translate %s --emit=ptx --entry=absolute | FileCheck %s --check-prefix=PTX
// RUN: not echo-translate %s --entry=none 2>&1 | FileCheck %s --check-prefix=NONE
// MAIN-NOT: fabs
// MAIN: fneg
// OTHER-NOT: fneg
// OTHER: fabs
// PTX-NOT: neg.f32
// PTX: abs.f32
// NONE: error: {{.*}}has no function 'none' to run

func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func public @absolute(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
