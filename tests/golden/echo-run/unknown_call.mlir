// A call that nobody knows is refused before anything runs, with its place; in a branch it is an error when it is reached. So is what acts on a world that is not there.
// RUN: split-file %s %t
// RUN: python3 %S/Inputs/make_npz.py %t.no.npz "arg0=|b1::0"
// RUN: python3 %S/Inputs/make_npz.py %t.yes.npz "arg0=|b1::1"
// RUN: echo-run %t/branch.mlir --no-cache --inputs=%t.no.npz | FileCheck %s --check-prefix=NO
// RUN: not echo-run %t/branch.mlir --no-cache --inputs=%t.yes.npz 2>&1 | FileCheck %s --check-prefix=YES
// RUN: not echo-run %t/branch.mlir --device=interpreter --inputs=%t.yes.npz 2>&1 | FileCheck %s --check-prefix=YES
// RUN: not echo-run %t/plain.mlir --plan-only 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not echo-run %t/effect.mlir --no-cache 2>&1 | FileCheck %s --check-prefix=EFFECT
// RUN: not echo-run %t/outfeed.mlir --plan-only 2>&1 | FileCheck %s --check-prefix=OUTFEED
// RUN: not echo-run %t/shape.mlir --plan-only 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not echo-run %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// NO: res0 = [1, 1]
// YES: branch.mlir:3:10: error: {{.*}}calls 'who', which is not known
// PLAIN: plain.mlir:2:8: error: {{.*}}calls 'who', which is not known
// EFFECT: effect.mlir:3:{{.*}}error: {{.*}}calls 'tell', which is not known
// OUTFEED: outfeed.mlir:3:{{.*}}error: 'stablehlo.outfeed' op has an effect that nothing here carries out
// SHAPE: shape.mlir:1:1: error: {{.*}}result #0 has type tensor<?xf32>, whose shape is known only when it runs
// SEVERAL: several.mlir:{{.*}}error: {{.*}}has no function 'main' with a body; --entry names another to run

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

// -----
//--- plain.mlir
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.custom_call @who() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
//--- effect.mlir
func.func @main(%p: tensor<i1>) -> tensor<i1> {
  "stablehlo.if"(%p) ({
    stablehlo.custom_call @tell(%p) {has_side_effect = true} : (tensor<i1>) -> ()
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return %p : tensor<i1>
}

// -----
//--- outfeed.mlir
func.func @main(%p: tensor<i1>) -> tensor<i1> {
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "stablehlo.outfeed"(%p, %t) <{outfeed_config = ""}> : (tensor<i1>, !stablehlo.token) -> !stablehlo.token
  return %p : tensor<i1>
}

// -----
//--- shape.mlir
func.func @main(%x: tensor<4xf32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
//--- several.mlir
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
