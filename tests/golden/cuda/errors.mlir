// What is wrong with a device is said, with exit status 1, and nothing is written.
// RUN: rm -rf %t && mkdir %t
// RUN: env LD_LIBRARY_PATH= not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=NODRIVER
// NODRIVER: echo-run: error: there is no CUDA driver (libcuda.so.1) on this machine
// RUN: env ECHO_GPU=none not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=NODEVICE
// NODEVICE: echo-run: error: cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)
// RUN: not echo-run %s --device=cuda:3 --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=ORDINAL
// ORDINAL: echo-run: error: there is no device cuda:3: the driver has 1
// RUN: not echo-run %s --device=cuda:x 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: echo-run: error: there is no device 'cuda:x': cpu, cuda, cuda:N, cuda:N,M,… are
// RUN: not echo-run %s --device=cuda:0,,1 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: echo-run: error: there is no device 'cuda:0,,1'
// RUN: env ECHO_GPU_DRIVER=11040 not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: echo-run: error: the CUDA driver is too old: it is of CUDA 11.4, and our PTX needs 11.8
// RUN: env ECHO_GPU=sm_70 not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: echo-run: error: device 0, 'emulated sm_70', is of sm_70: the oldest that we emit code for is sm_75
// RUN: env ECHO_GPU_BYTES=100 not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cuMemAlloc: device memory is used up: 256 bytes are asked for, 100 of 100 are free
// RUN: env ECHO_GPU_BYTES=300 not echo-run %s --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: cuMemAlloc: device memory is used up: 256 bytes are asked for, 44 of 300 are free
// What the peak is made of, and what would fit.
// RUN: env ECHO_GPU_BYTES=50000 not echo-run %S/training_step.mlir --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=OWNERS
// OWNERS: warning: the step takes [[PEAK:[0-9]+]] bytes, and the device has 50000 left; at its peak are weights 4096, inputs 8192, {{.*}}feature maps {{.*}} bytes; the largest: {{arg1|contraction_0|map_0}} of 8192
// OWNERS: note: --echo=budget=50000 makes it fit: the least that Echo reaches is {{[0-9]+}} bytes
// OWNERS: error: cuMemAlloc: device memory is used up
// RUN: env ECHO_GPU_BYTES=50000 echo-run %S/training_step.mlir --device=cuda --quiet --echo=budget=50000
// RUN: env ECHO_GPU_BYTES=20000 not echo-run %S/training_step.mlir --device=cuda 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: note: no budget makes it fit: the least that Echo reaches is {{[0-9]+}} bytes
// RUN: env ECHO_GPU=none not nets --device=cuda --steps=1 2>&1 | FileCheck %s --check-prefix=NETS
// NETS: nets: error: cuInit: CUDA_ERROR_NO_DEVICE
// RUN: env ECHO_GPU_BYTES=100000 not nets --device=cuda --steps=1 --model=vgg11 --width=2 --batch=1 2>&1 | FileCheck %s --check-prefix=NETSFULL
// NETSFULL: error: cuMemAlloc: device memory is used up
// RUN: echo-opt %s --to=loops -o %t/cpu.mlir
// RUN: not echo-run %t/cpu.mlir --device=cuda --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: {{.*}}was lowered for the CPU, and the device is a GPU
// RUN: test ! -e %t/out.npz
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = stablehlo.tanh %x : tensor<64xf32>
  return %a : tensor<64xf32>
}
