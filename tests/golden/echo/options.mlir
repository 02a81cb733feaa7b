// RUN: not echo-opt --echo=budget=lots %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not echo-opt --echo=overhead=much %s 2>&1 | FileCheck %s --check-prefix=OVERHEAD
// RUN: not echo-opt --echo=policy=best %s 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not echo-opt --echo=device=none-such %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not echo-opt --echo=budget=100 %s 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: echo-opt --echo=budget=1M %s | FileCheck %s

// BUDGET: error: budget is a number of bytes or min, not 'lots'
// OVERHEAD: error: overhead is a percentage such as 3%, not 'much'
// POLICY: error: policy is mincut, greedy or chain, not 'best'
// DEVICE: error: device model 'none-such'
// The refusal says what is possible.
// LEAST: error: 'func.func' op cannot be brought below the budget: the smallest possible one is 512 bytes
// CHECK: func.func @main
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = stablehlo.tanh %x {echo.phase = "forward"} : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
