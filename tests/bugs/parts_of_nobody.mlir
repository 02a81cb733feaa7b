// RUN: not echo-run %s 2>&1 | FileCheck %s
// Parts that a text claims were read beyond their end. They are checked against the type and the number of processes.
// CHECK: parts_of_nobody.mlir:[[@LINE+1]]:1: error: 'func.func' op has argument #0 whose 'echo.parts' do not fit 1 process
func.func @main(%x: tensor<4xf32> {echo.parts = array<i64: 5>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
