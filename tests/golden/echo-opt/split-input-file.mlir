// RUN: not echo-opt %s --split-input-file 2>&1 | FileCheck %s
// RUN: not echo-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s --check-prefix=EXPECT

// Each part is processed by itself, and lines are those of the file.
// CHECK: split-input-file.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}unregistered dialect
// EXPECT: split-input-file.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: unexpected error: 
"test.use"(%undefined) : (i32) -> ()

// -----

func.func @second() {
  return
}
