// What is no bundle, or is one no longer, or is for somebody else, is refused with its reason and exit status 1, and nothing is written.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t
// RUN: echo-translate add.mlir --emit=bundle -o add.bundle
// RUN: not echo-run-bundle none.bundle --outputs=out.npz 2>&1 | FileCheck add.mlir --check-prefix=NONE
// RUN: not echo-run-bundle add.mlir --outputs=out.npz 2>&1 | FileCheck add.mlir --check-prefix=TEXT
// RUN: python3 -c "d = open('add.bundle', 'rb').read(); w = lambda n, b: open(n, 'wb').write(b); w('cut.bundle', d[:-1]); w('header.bundle', d[:20]); w('empty.bundle', b''); w('long.bundle', d + b'x'); w('flipped.bundle', d[:200] + bytes([d[200] ^ 1]) + d[201:]); w('format.bundle', d[:8] + bytes([9]) + d[9:]); w('version.bundle', d[:12] + (10203).to_bytes(4, 'little') + d[16:])"
// RUN: not echo-run-bundle cut.bundle 2>&1 | FileCheck add.mlir --check-prefix=CUT
// RUN: not echo-run-bundle header.bundle 2>&1 | FileCheck add.mlir --check-prefix=HEADER
// RUN: not echo-run-bundle empty.bundle 2>&1 | FileCheck add.mlir --check-prefix=EMPTY
// RUN: not echo-run-bundle long.bundle 2>&1 | FileCheck add.mlir --check-prefix=LONG
// RUN: not echo-run-bundle flipped.bundle --outputs=out.npz 2>&1 | FileCheck add.mlir --check-prefix=FLIPPED
// RUN: not echo-run-bundle format.bundle 2>&1 | FileCheck add.mlir --check-prefix=FORMAT
// RUN: not echo-run-bundle version.bundle 2>&1 | FileCheck add.mlir --check-prefix=VERSION
// RUN: not test -e out.npz

// RUN: echo-translate add.mlir --emit=bundle --cpu=x86-64 --features=+fma4,+xop -o amd.bundle
// RUN: not echo-run-bundle amd.bundle 2>&1 | FileCheck add.mlir --check-prefix=PROCESSOR
// RUN: not echo-run-bundle add.bundle --device=cuda 2>&1 | FileCheck add.mlir --check-prefix=DEVICE
// RUN: not echo-run-bundle add.bundle --device=interpreter 2>&1 | FileCheck add.mlir --check-prefix=INTERPRETER
// RUN: not echo-run-bundle 2>&1 | FileCheck add.mlir --check-prefix=FILE
// RUN: not echo-run-bundle add.bundle --feed=res0:arg7 2>&1 | FileCheck add.mlir --check-prefix=FEED
// RUN: not echo-run-bundle add.bundle --rtol=-1 2>&1 | FileCheck add.mlir --check-prefix=TOLERANCE
// RUN: not echo-run-bundle add.bundle --outputs=none/out.npz 2>&1 | FileCheck add.mlir --check-prefix=OUTPUT

// A call of a function that the process must bring is not in a file, but one that nobody knows is, and says so, at its place, when it is reached.
// RUN: echo-translate branch.mlir --emit=bundle -o branch.bundle
// RUN: python3 %S/../echo-run/Inputs/make_npz.py no.npz "arg0=|b1::0"
// RUN: python3 %S/../echo-run/Inputs/make_npz.py yes.npz "arg0=|b1::1"
// RUN: echo-run-bundle branch.bundle --inputs=no.npz --quiet
// RUN: not echo-run-bundle branch.bundle --inputs=yes.npz 2>&1 | FileCheck add.mlir --check-prefix=REACHED

// RUN: not echo-translate add.mlir --emit=bundle --cpu=skylake -o none.bundle 2>&1 | FileCheck add.mlir --check-prefix=CPU
// RUN: not echo-translate add.mlir --emit=bundle --cpu=x86-64 --features=+avx2,+rdrnd -o none.bundle 2>&1 | FileCheck add.mlir --check-prefix=ASKED
// RUN: not echo-translate add.mlir --emit=bundle --target=sm_1 -o none.bundle 2>&1 | FileCheck add.mlir --check-prefix=TARGET
// RUN: not test -e none.bundle

//--- add.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// NONE: error: cannot open 'none.bundle': No such file or directory
// TEXT: error: 'add.mlir' is no bundle
// CUT: error: 'cut.bundle' is cut: it has {{[0-9]+}} of {{[0-9]+}} bytes
// HEADER: error: 'header.bundle' is cut: it ends in its header
// EMPTY: error: 'empty.bundle' is no bundle
// LONG: error: 'long.bundle' is corrupt: it has {{[0-9]+}} bytes instead of {{[0-9]+}}
// FLIPPED: error: 'flipped.bundle' is corrupt: its checksum is another one
// FORMAT: error: 'format.bundle' is a bundle of format 9, and format 1 is read here
// VERSION: error: 'version.bundle' is a bundle of Echo 1.2.3, and this is Echo {{[0-9.]+}}
// PROCESSOR: error: {{.*}}was compiled for another processor: this one lacks "fma4", "xop"
// DEVICE: error: {{.*}}was compiled for 'cpu', and the device is 'sm_80'
// INTERPRETER: error: there is no device 'interpreter': cpu, cuda, cuda:N, cuda:N,M,… are
// FILE: error: expects one file
// FEED: error: --feed=res0:arg7: main has 1 results and 1 arguments
// TOLERANCE: error: --rtol, --atol and --norm-rtol are not negative
// OUTPUT: echo-run-bundle: error: cannot write 'none/out.npz': No such file or directory
// REACHED: branch.mlir:3:10: error: {{.*}}calls 'who', which is not known
// CPU: error: {{.*}}is for processor 'skylake': a bundle is for x86-64, x86-64-v2, x86-64-v3, x86-64-v4 or, without a name, for one like this
// ASKED: error: {{.*}}is for a processor with '+rdrnd', which a bundle cannot ask for
// TARGET: error: --target: 'sm_1' is no target

// -----
//--- branch.mlir
func.func @main(%p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.custom_call @who() : () -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %2 = stablehlo.constant dense<1.0> : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
