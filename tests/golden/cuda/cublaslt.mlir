// Products by cuBLASLt, the emulated one, where it is measured to be faster than our kernels: operands turned and not, batches, halves and their sums, doubles. What was chosen is kept on disk by
// device, library and shape, and stays: the same bits, even once the library is slow.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --no-cache --outputs=%t/own.npz
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --expect=%t/want.npz --rtol=1e-3 --atol=1e-6 --outputs=%t/fast.npz --json=%t/fast.json --kernels | FileCheck %s --check-prefix=FAST
// FAST: memory: planned peak [[PEAK:.*]] (arguments {{.*}}), measured [[PEAK]]; libraries work in 256 B
// RUN: python3 -c "import json; j = json.load(open('%t/fast.json')); assert j['library'] == 'cuBLASLt 13.0.99 for 9 of 9 products' and j['library_bytes'] == 256 and all(k['measured_ns'] > 0 and 'sector_use' not in k for k in j['kernels']), j"
// RUN: not echo-run %s --device=cuda --quiet --no-cache --expect=%t/fast.npz --rtol=0 --atol=0
// RUN: ls %t/cache | FileCheck %s --check-prefix=FILES --implicit-check-not=product
// FILES-COUNT-9: product-{{[0-9a-f]+}}.txt
// RUN: cat %t/cache/*.txt | FileCheck %s --check-prefix=KEPT
// KEPT-DAG: emulated sm_80, sm_80, cuBLASLt 13.0.99: 3 x (40 x 52 x 24) of f32 to f32, rows 24 960, columns 24 1248
// KEPT-DAG: library 256 7 0 0 0 0 0 0 0
// RUN: env ECHO_GPU_CUBLASLT=slow echo-run %s --device=cuda --cublaslt --cache-dir=%t/cache --quiet --expect=%t/fast.npz --rtol=0 --atol=0

// Where ours is faster, ours does it; that is kept as well. Another device has decisions of its own, and what cannot be read is measured again.
// RUN: env ECHO_GPU_CUBLASLT=slow echo-run %s --device=cuda --cublaslt --cache-dir=%t/slow --quiet --expect=%t/own.npz --rtol=0 --atol=0 --json=%t/slow.json
// RUN: FileCheck %s --check-prefix=SLOW < %t/slow.json
// SLOW: "library": "cuBLASLt 13.0.99 for 0 of 9 products"
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/slow --quiet --expect=%t/own.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --cublaslt --cache-dir=%t/slow --quiet --expect=%t/fast.npz --rtol=0 --atol=0
// RUN: sed -i s/^own/library/ %t/slow/*.txt
// RUN: echo-run %s --device=cuda --cublaslt --cache-dir=%t/slow --quiet --expect=%t/fast.npz --rtol=0 --atol=0
// RUN: env ECHO_GPU_CUBLASLT=slow echo-run %s --device=cuda --cublaslt --cache-dir=%t/slow --quiet --expect=%t/fast.npz --rtol=0 --atol=0

// Without the library our kernels do it, and a line says so.
// RUN: env ECHO_GPU_CUBLASLT=none echo-run %s --device=cuda --cublaslt --no-cache --quiet --expect=%t/own.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: cuBLASLt cannot be used: cublasLtCreate: CUBLAS_STATUS_NOT_INITIALIZED: 9 products are made by kernels of ours
// RUN: not echo-run %s --cublaslt --quiet 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: --cublaslt makes a GPU's products: it needs --device=cuda, or a GPU's --target

// What is less aligned than the library wants it is copied on the way there and back.
// RUN: echo-opt %s --to=loops --target=sm_80 --cublaslt | FileCheck %s --check-prefix=LOOPS
// LOOPS: kernel.product = {a = array<i64: 0, 0, 64, 0, 64>, b = array<i64: 1, 0, 128, 0, 64>, factor = f32, out = array<i64: 2, 0, 128, 16384, 64>, result = f32, sizes = array<i64: 1, 128, 128, 64>}
// RUN: echo-opt %s --to=loops --target=sm_80 --cublaslt | sed -E '/kernel.product/s/(a|b|out) = array<i64: ([-0-9, ]*), 64>/\1 = array<i64: \2, 4>/g' > %t/unaligned.mlir
// RUN: echo-run %t/unaligned.mlir --device=cuda --cache-dir=%t/cache --expect=%t/fast.npz --rtol=0 --atol=0 | FileCheck %s --check-prefix=COPIED
// COPIED: libraries work in 131 kB

// There is no room to find out who is faster.
// RUN: env ECHO_GPU_BYTES=1000000 not echo-run %s --device=cuda --cublaslt --no-cache --quiet 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cuMemAlloc: device memory is used up: 4194304 bytes are asked for
func.func @main(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>, %c: tensor<37x50xf32>, %d: tensor<50x45xf32>, %e: tensor<3x40x24xf32>, %f: tensor<3x52x24xf32>, %g: tensor<33x20xf64>, %h: tensor<20x34xf64>, %i: tensor<40x36xbf16>, %j: tensor<36x31xbf16>, %k: tensor<40x36xf16>, %l: tensor<36x31xf16>) -> (tensor<128x128xf32>, tensor<64x64xf32>, tensor<37x45xf32>, tensor<3x40x52xf32>, tensor<3x24x24xf32>, tensor<33x34xf64>, tensor<40x31xf32>, tensor<40x31xbf16>, tensor<40x31xf16>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<37x50xf32>, tensor<50x45xf32>) -> tensor<37x45xf32>
  %3 = stablehlo.dot_general %e, %f, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x40x24xf32>, tensor<3x52x24xf32>) -> tensor<3x40x52xf32>
  %4 = stablehlo.dot_general %e, %e, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x40x24xf32>, tensor<3x40x24xf32>) -> tensor<3x24x24xf32>
  %5 = stablehlo.dot_general %g, %h, contracting_dims = [1] x [0] : (tensor<33x20xf64>, tensor<20x34xf64>) -> tensor<33x34xf64>
  %6 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<40x36xbf16>, tensor<36x31xbf16>) -> tensor<40x31xf32>
  %7 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<40x36xbf16>, tensor<36x31xbf16>) -> tensor<40x31xbf16>
  %8 = stablehlo.dot_general %k, %l, contracting_dims = [1] x [0] : (tensor<40x36xf16>, tensor<36x31xf16>) -> tensor<40x31xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<128x128xf32>, tensor<64x64xf32>, tensor<37x45xf32>, tensor<3x40x52xf32>, tensor<3x24x24xf32>, tensor<33x34xf64>, tensor<40x31xf32>, tensor<40x31xbf16>, tensor<40x31xf16>
}
