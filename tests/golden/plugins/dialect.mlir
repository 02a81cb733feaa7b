// The dialect of samples/dialect_plugin: its op has all hooks, and is at work wherever ours are.
// RUN: mkdir -p %t.include && ln -sfn %root %t.include/echo
// RUN: cc -I%t.include -std=c17 -fPIC -shared -I%root %root/samples/dialect_plugin/act.c -o %t.so
// RUN: echo-opt --load-dialect-plugin=%t.so --verify-roundtrip --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: echo-opt --load-dialect-plugin=%t.so --canonicalize --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=FOLD

// CHECK: act.softsign %arg0 steepness 2.000000e+00 {note = "kept"} : tensor<4xf32>
// CHECK-NEXT: act.softsign %arg1 steepness 5.000000e-01 : tensor<f64>
func.func @text(%x: tensor<4xf32>, %y: tensor<f64>) -> (tensor<4xf32>, tensor<f64>) {
  %a = act.softsign %x steepness 2.0 {note = "kept"} : tensor<4xf32>
  %b = "act.softsign"(%y) <{steepness = 0.5 : f64}> : (tensor<f64>) -> tensor<f64>
  return %a, %b : tensor<4xf32>, tensor<f64>
}

// FOLD-LABEL: @of_zeros
// FOLD-NOT: act.softsign
// FOLD: return
func.func @of_zeros() -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %a = act.softsign %zero steepness 2.0 : tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----
func.func @steepness(%x: tensor<4xf32>) {
  // expected-error@+1 {{'act.softsign' op wants a steepness above zero, not -1}}
  %a = act.softsign %x steepness -1.0 : tensor<4xf32>
  return
}

// -----
func.func @element(%x: tensor<4xf16>) {
  // expected-error@+2 {{'act.softsign' op result #0 must be tensor of f32 or f64, but got 'tensor<4xf16>'}}
  // expected-error@+1 {{'act.softsign' op operand #0 must be tensor of f32 or f64, but got 'tensor<4xf16>'}}
  %a = act.softsign %x steepness 1.0 : tensor<4xf16>
  return
}

// -----
func.func @word(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 'steepness'}}
  %a = act.softsign %x : tensor<4xf32>
  return
}

// -----
// Legal from the model to the plan, as the dialect says, and not in loops.
module attributes {echo.stage = "planned"} {
  func.func @planned(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = act.softsign %x steepness 1.0 : tensor<4xf32>
    return %a : tensor<4xf32>
  }
}

// -----
module attributes {echo.stage = "loops"} {
  func.func @loops(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'act.softsign' op is not legal in stage 'loops'}}
    %a = act.softsign %x steepness 1.0 : tensor<4xf32>
    return %a : tensor<4xf32>
  }
}
