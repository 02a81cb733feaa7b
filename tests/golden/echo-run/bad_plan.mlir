// A planned module whose main does not say where its results lie is refused before anything runs.
// RUN: rm -rf %t && split-file %s %t
// RUN: not echo-run %t/order.mlir 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not echo-run %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not echo-run %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

//--- order.mlir
// ORDER: order.mlir:[[#]]:3: error: {{.*}}argument 1 stands behind the place of a result
module attributes {echo.stage = "planned"} {
  func.func @main(%r: memref<4xf32> {plan.result = 0 : i64}, %x: memref<4xf32>) {
    return
  }
}

//--- twice.mlir
// TWICE: twice.mlir:[[#]]:3: error: {{.*}}plan.result of argument #1 names no result
module attributes {echo.stage = "planned"} {
  func.func @main(%r: memref<4xf32> {plan.result = 0 : i64}, %s: memref<4xf32> {plan.result = 0 : i64}) {
    return
  }
}

//--- missing.mlir
// MISSING: missing.mlir:[[#]]:3: error: {{.*}}plan.result of argument #0 names no result
module attributes {echo.stage = "planned"} {
  func.func @main(%r: memref<4xf32> {plan.result = 1 : i64}) {
    return
  }
}
