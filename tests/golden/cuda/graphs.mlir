// A step is one CUDA graph. Loops whose number of trips is known are in it, each trip a graph of its body; one whose number the device computes is a conditional node; and
// what is fed back from step to step lies elsewhere each time.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-5 --atol=1e-6
// RUN: echo-run %s --device=interpreter --quiet --steps=4 --feed=res0:arg0 --outputs=%t/fed.npz
// RUN: echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --expect=%t/fed.npz --rtol=1e-5 --atol=1e-6 --outputs=%t/gpu.npz
// RUN: echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --kernels --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --echo=budget=min,swap=on --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-translate %s --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --quiet --steps=4 --feed=res0:arg0 --expect=%t/gpu.npz --rtol=0 --atol=0

// What counts is written down while it can be seen: the number that a text claims is not believed.
// RUN: echo-opt %s --to=kernels | FileCheck %s --check-prefix=KERNELS
// KERNELS: stablehlo.while{{.*}}kernel.n_trips = 5 : i64
// KERNELS: stablehlo.while{{.*}}kernel.n_trips = 3 : i64
// KERNELS: stablehlo.while
// KERNELS-NOT: n_trips
// RUN: echo-opt %s --to=planned | FileCheck %s --check-prefix=PLANNED
// PLANNED: "plan.while"({{.*}}) <{n_trips = 5 : i64}>
// PLANNED: "plan.while"({{.*}}) <{n_trips = 3 : i64}>
// PLANNED: "plan.while"({{.*}}) ({
// RUN: echo-translate %s --emit=launches --target=sm_80 | FileCheck %s --check-prefix=LAUNCHES
// LAUNCHES: "n_trips": 5,
// LAUNCHES: "n_trips": 3,
// LAUNCHES-NOT: "n_trips"

// What goes wrong in a graph is said with the call and the kernels in it; where kernels are timed they are launched one by one, and the one is named.
// RUN: echo-opt %s --to=loops --target=sm_80 | sed 's/arith.constant 15 : index/arith.constant 16 : index/' > %t/broken.mlir
// RUN: not echo-run %t/broken.mlir --device=cuda --quiet 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS {{.*}}; it is one of the kernels from 'map_0__0' to 'contraction_{{[0-9]+}}__0', launched as graphs: where kernels are timed (--kernels) it is named
// RUN: not echo-run %t/broken.mlir --device=cuda --quiet --kernels 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS {{.*}}; the last kernel launched is 'map_{{[0-9]+}}__0'
func.func @main(%x: tensor<4x15xf32>, %y: tensor<15x15xf32>, %k: tensor<i32>) -> (tensor<4x15xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %a = stablehlo.tanh %x : tensor<4x15xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<4x15xf32> attributes {kernel.n_trips = 7 : i64}
    cond {
      %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.dot_general %v, %y, contracting_dims = [1] x [0] : (tensor<4x15xf32>, tensor<15x15xf32>) -> tensor<4x15xf32>
      %t = stablehlo.tanh %s : tensor<4x15xf32>
      %n:2 = stablehlo.while(%j = %zero, %u = %t) : tensor<i32>, tensor<4x15xf32>
        cond {
          %c = stablehlo.compare NE, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %w = stablehlo.add %u, %x : tensor<4x15xf32>
          %q = stablehlo.dot_general %w, %y, contracting_dims = [1] x [0] : (tensor<4x15xf32>, tensor<15x15xf32>) -> tensor<4x15xf32>
          %l = stablehlo.logistic %q : tensor<4x15xf32>
          %jj = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %jj, %l : tensor<i32>, tensor<4x15xf32>
        }
      %ii = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %ii, %n#1 : tensor<i32>, tensor<4x15xf32>
    }
  %m = stablehlo.remainder %k, %five : tensor<i32>
  %bound = stablehlo.abs %m : tensor<i32>
  %e:2 = stablehlo.while(%i = %zero, %v = %r#1) : tensor<i32>, tensor<4x15xf32>
    cond {
      %c = stablehlo.compare LE, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.sine %v : tensor<4x15xf32>
      %ii = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %ii, %s : tensor<i32>, tensor<4x15xf32>
    }
  %b = stablehlo.dot_general %e#1, %y, contracting_dims = [1] x [0] : (tensor<4x15xf32>, tensor<15x15xf32>) -> tensor<4x15xf32>
  return %b, %e#0 : tensor<4x15xf32>, tensor<i32>
}
