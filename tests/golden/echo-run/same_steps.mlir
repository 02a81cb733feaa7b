// Several steps that nothing tells apart are said to be so; not where something is fed.
// RUN: echo-run %s --no-cache --steps=3 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: echo-run: warning: no argument is fed, so all 3 steps are the same
// RUN: echo-run %s --no-cache --steps=3 --feed=res0:arg0 2>&1 | FileCheck %s --check-prefix=FED
// RUN: echo-run %s --no-cache --steps=1 2>&1 | FileCheck %s --check-prefix=FED
// RUN: sed 's/{jax.state}/{tf.aliasing_output = 0 : i32}/' %s > %t.mlir
// RUN: echo-run %t.mlir --no-cache --steps=3 2>&1 | FileCheck %s --check-prefix=FED
// FED-NOT: warning
// FED: res0 =
func.func @main(%arg0: tensor<2xf32> {jax.state}) -> tensor<2xf32> {
  %sum = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %sum : tensor<2xf32>
}
