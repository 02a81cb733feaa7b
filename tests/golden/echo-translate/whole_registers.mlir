// RUN: echo-translate %s --cpu=sapphirerapids --emit=asm | FileCheck %s --check-prefix=ZMM
// RUN: echo-translate %s --cpu=x86-64-v4 --emit=asm | FileCheck %s --check-prefix=ZMM
// RUN: echo-translate %s --cpu=x86-64-v3 --emit=asm | FileCheck %s --check-prefix=YMM
// RUN: echo-translate %s --cpu=sapphirerapids --features=+prefer-256-bit --emit=asm | FileCheck %s --check-prefix=YMM

// A map's vectors fill the processor's registers, also where LLVM would keep to half of one.
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  // ZMM: vsqrtps {{.*}}%zmm
  // YMM: vsqrtps {{.*}}%ymm
  %0 = stablehlo.sqrt %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
