// Control flow that depends on what the device computes is conditional nodes of the step's one graph: branches in loops, loops of a known number of trips in those, and loops of
// an unknown one in a loop of a known one, which is then a conditional node, too. What is fed back lies elsewhere in each step. A driver that has no such nodes, or refuses them,
// gives the same bits: the host waits for each value.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/want.npz --rtol=1e-5 --atol=1e-6 --outputs=%t/gpu.npz
// RUN: env ECHO_GPU_DRIVER=12020 echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
// RUN: env ECHO_GPU_CONDITIONS=refused echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: warning: the driver refuses a graph with conditional nodes: the host waits for the values that control flow depends on
// REFUSED-NOT: warning
// RUN: env ECHO_GPU=sm_90 echo-run %s --device=cuda --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --kernels --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --echo=budget=min,swap=on --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0
// RUN: echo-translate %s --emit=bundle --target=sm_80 -o %t/step.bundle
// RUN: echo-run-bundle %t/step.bundle --quiet --steps=4 --feed=res0:arg0 --feed=res1:arg1 --expect=%t/gpu.npz --rtol=0 --atol=0
func.func @main(%x: tensor<40xf32>, %k: tensor<i32>) -> (tensor<40xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<40xf32>
  %m = stablehlo.remainder %k, %five : tensor<i32>
  %bound = stablehlo.abs %m : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<40xf32>
    cond {
      %c = stablehlo.compare LE, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %which = stablehlo.remainder %i, %two : tensor<i32>
      %is_even = stablehlo.compare EQ, %which, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %z = "stablehlo.if"(%is_even) ({
        %n:2 = stablehlo.while(%j = %zero, %u = %y) : tensor<i32>, tensor<40xf32>
          cond {
            %c = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %w = stablehlo.sine %u : tensor<40xf32>
            %jj = stablehlo.add %j, %one : tensor<i32>
            stablehlo.return %jj, %w : tensor<i32>, tensor<40xf32>
          }
        stablehlo.return %n#1 : tensor<40xf32>
      }, {
        %a = stablehlo.add %y, %half : tensor<40xf32>
        stablehlo.return %a : tensor<40xf32>
      }) : (tensor<i1>) -> tensor<40xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %z : tensor<i32>, tensor<40xf32>
    }
  %s:2 = stablehlo.while(%i = %zero, %y = %r#1) : tensor<i32>, tensor<40xf32>
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n:2 = stablehlo.while(%j = %zero, %u = %y) : tensor<i32>, tensor<40xf32>
        cond {
          %c = stablehlo.compare LT, %j, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %w = stablehlo.cosine %u : tensor<40xf32>
          %jj = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %jj, %w : tensor<i32>, tensor<40xf32>
        }
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %n#1 : tensor<i32>, tensor<40xf32>
    }
  %q = stablehlo.add %k, %one : tensor<i32>
  return %s#1, %q : tensor<40xf32>, tensor<i32>
}
