// The same for a GPU, the emulated one: kernels are PTX in the file, which the driver compiles.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %S/../cuda/training_step.mlir --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run %S/../cuda/training_step.mlir --device=cuda --quiet --steps=3 --outputs=%t/want.npz
// RUN: echo-run-bundle %t/step.bundle --steps=3 --expect=%t/want.npz --rtol=0 --atol=0 --json=%t/out.json | FileCheck %s
// CHECK: memory: planned peak [[PEAK:.*]] (arguments {{.*}}), measured [[PEAK]]
// RUN: python3 -c "import json; o = json.load(open('%t/out.json')); assert o['device'] == 'cuda' and o['planned_peak_bytes'] == o['measured_peak_bytes']"
// RUN: echo-run-bundle %t/step.bundle --device=cuda:0 --steps=3 --quiet --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = json.load(open('%t/kernels.json'))['kernels']; assert k and all(x['measured_ns'] > 0 and x['bytes'] > 0 for x in k)"
// RUN: echo-translate %S/../cuda/training_step.mlir --emit=bundle --target=sm_80 --echo=budget=min,swap=on -o %t/swapped.bundle
// RUN: echo-run-bundle %t/swapped.bundle --steps=3 --quiet --expect=%t/want.npz --rtol=0 --atol=0

// Loops and branches whose conditions the device computes.
// RUN: echo-translate %S/../cuda/control.mlir --emit=bundle --target=sm_80 -o %t/control.bundle
// RUN: echo-run %S/../cuda/control.mlir --device=cuda --quiet --steps=2 --feed=res0:arg0 --outputs=%t/control.npz
// RUN: echo-run-bundle %t/control.bundle --steps=2 --feed=res0:arg0 --quiet --expect=%t/control.npz --rtol=0 --atol=0

// A newer GPU runs it too; an older one, and the CPU, do not; what is wrong with a device is said.
// RUN: env ECHO_GPU=sm_90 echo-run-bundle %t/step.bundle --quiet
// RUN: env ECHO_GPU=sm_75 not echo-run-bundle %t/step.bundle 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: {{.*}}was compiled for 'sm_80', and the device is 'sm_75'
// RUN: not echo-run-bundle %t/step.bundle --device=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: {{.*}}was compiled for 'sm_80', and the device is 'cpu'
// RUN: env LD_LIBRARY_PATH= not echo-run-bundle %t/step.bundle 2>&1 | FileCheck %s --check-prefix=NODRIVER
// NODRIVER: echo-run-bundle: error: there is no CUDA driver (libcuda.so.1) on this machine
// RUN: env ECHO_GPU_BYTES=20000 not echo-run-bundle %t/step.bundle --outputs=%t/none.npz 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not test -e %t/none.npz
// FULL: error: cuMemAlloc: device memory is used up
