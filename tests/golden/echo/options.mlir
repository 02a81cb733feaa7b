// RUN: not echo-opt --echo=budget=lots %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not echo-opt --echo=overhead=much %s 2>&1 | FileCheck %s --check-prefix=OVERHEAD
// RUN: not echo-opt --echo=policy=best %s 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not echo-opt --echo=device=none-such %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not echo-opt --echo=budget=100 %s 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not echo-opt --echo=budget=min,overhead=2%% %s 2>&1 | FileCheck %s --check-prefix=GOALS
// RUN: not echo-opt --echo=budget=min,budget=1M %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: echo-opt --echo=budget=1M %s | FileCheck %s

// BUDGET: error: budget is a number of bytes or min, not 'lots'
// OVERHEAD: error: overhead is a percentage such as 3%, not 'much'
// POLICY: error: policy is mincut, greedy, chain or levels, not 'best'
// DEVICE: error: device model 'none-such'
// The refusal says what is possible, and what holds it.
// LEAST: options.mlir:[[#]]:1: error: 'func.func' op cannot be brought below the budget: the smallest possible one is 768 bytes, of them 256 temporary,
// LEAST-NOT: see current operation
// LEAST: options.mlir:[[#]]:8: remark: at the peak: 256 bytes in 1 of stablehlo.dot_general tensor<8x8xf32>, forward
// GOALS: error: budget=min and overhead=2% are two goals: give one
// TWICE: error: pass pipeline 'echo{budget=min,budget=1M}', column 17: this option is given twice
// CHECK: func.func @main
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.dot_general %p, %x, contracting_dims = [1] x [0] {echo.phase = "forward"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
